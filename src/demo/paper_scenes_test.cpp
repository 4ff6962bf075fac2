// The demos for the papers: sizes, and joints where the papers' methods need them.
#include "animation/pose.h"
#include "demo/models.h"
#include "demo/rigging.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <set>

using namespace sinew;

namespace {

vec3 bindPosition(const Model& model, std::string_view name) {
  const auto modelFromNode = modelFromNodes(model.hierarchy, restPose(model.hierarchy));
  return vec3(modelFromNode[jointNamed(model, name)][3]);
}

} // namespace

TEST_CASE("the arm is straight, of the paper's size, dense at the elbow and bends far") {
  const Model model = makeArm();
  CHECK(vertexCount(model) > 1400);
  CHECK(vertexCount(model) < 1600);
  for (const std::string_view name : {"UpperArm", "LowerArm", "Hand"}) {
    CHECK(bindPosition(model, name).y == 0.0f);
    CHECK(bindPosition(model, name).z == 0.0f);
  }
  const float elbow = bindPosition(model, "LowerArm").x;
  std::set<float> ringsAtElbow;
  for (const vec3& p : model.meshes[0].positions)
    if (std::abs(p.x - elbow) < 0.05f) ringsAtElbow.insert(p.x);
  CHECK(ringsAtElbow.size() >= 8);

  const auto largestAngle = [&](std::string_view clip, std::string_view joint) {
    float largest = 0.0f;
    for (const Channel& channel : model.clips[findClip(model, clip)].channels)
      if (channel.node == jointNamed(model, joint))
        for (const quat& q : channel.rotation.values)
          largest = std::max(largest, glm::degrees(glm::angle(q)));
    return largest;
  };
  CHECK(largestAngle("elbow-bend", "LowerArm") == doctest::Approx(135).epsilon(1e-3));
  CHECK(largestAngle("elbow-twist", "LowerArm") == doctest::Approx(180).epsilon(1e-3));
  CHECK(largestAngle("shoulder-twist", "UpperArm") == doctest::Approx(90).epsilon(1e-3));
}

TEST_CASE("the tentacle is a chain of 60 joints") {
  const Model model = makeTentacle();
  REQUIRE(model.skins[0].joints.size() == 60);
  for (std::uint32_t j = 1; j < 60; ++j)
    CHECK(model.hierarchy.nodes[j].parent == j - 1);
  CHECK(vertexCount(model) > 3500);
  CHECK(vertexCount(model) < 4500);
  std::set<std::uint32_t> used;
  for (const Influence& influence : model.meshes[0].influences.values)
    used.insert(influence.joint);
  CHECK(used.size() == 60);
}

TEST_CASE("the body-arm has the paper's 12,864 vertices and three straight splines") {
  const Model model = makeBodyArm();
  CHECK(vertexCount(model) == 12864);
  REQUIRE(model.meshes.size() == 1);
  CHECK(model.meshes[0].colors.size() == 12864);
  const vec3 top = bindPosition(model, "Top");
  const auto alongBody = bindPosition(model, "Upper") - bindPosition(model, "Body");
  CHECK(glm::length(glm::cross(alongBody, top - bindPosition(model, "Body"))) < 1e-6f);
  for (const std::string_view name : {"Arm", "Elbow", "Hand"}) {
    const vec3 from = bindPosition(model, name) - top;
    CHECK(from.x > 0.0f);
    CHECK(glm::length(glm::cross(from, vec3(1, 0, 0))) < 1e-6f);
  }
  // The body far from the shoulder does not follow the arm; its foot follows nothing.
  const Mesh& mesh = model.meshes[0];
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    for (const auto& [joint, weight] : mesh.influences.of(v)) {
      const vec3& p = mesh.positions[v];
      if (p.x < 0.08f || p.y < 0.45f) CHECK(joint < jointNamed(model, "Top"));
      if (p.y < 0.1f) CHECK(joint == jointNamed(model, "Body"));
      if (p.x > 1.0f) CHECK(joint == jointNamed(model, "Hand"));
      CHECK(joint != jointNamed(model, "Top"));
    }
}
