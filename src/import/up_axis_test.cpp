#include "animation/pose.h"
#include "demo/demo.h"
#include "import/up_axis.h"
#include "model/model.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <string>

using namespace sinew;

namespace {

const quat kOnItsBack = glm::angleAxis(glm::half_pi<float>(), vec3(1, 0, 0));

Model lying(Model model) {
  rotateModel(model, kOnItsBack);
  return model;
}

// A skeleton with its clips, as a BVH file has it.
Model bones(Model model) {
  model.meshes.clear();
  model.skins.clear();
  return model;
}

vec3 findHead(const Model& model) {
  return vec3(modelFromNodes(model.hierarchy, restPose(model.hierarchy))
                  .at(findNode(model.hierarchy, "Head").value())[3]);
}

} // namespace

TEST_CASE("a body that stands along Z is turned to Y, by its skin, its clips or its rest pose") {
  const Model humanoid = findDemo("humanoid").make();
  Model still = bones(humanoid);
  still.clips.clear();
  for (const Model& upright : {humanoid, bones(humanoid), still}) {
    CHECK_FALSE(standsAlongZ(upright));
    CHECK(standsAlongZ(lying(upright)));
    Model model = lying(upright);
    rotateUpright(SourceKind::x, UpAxis::automatic, model);
    CHECK(glm::distance(findHead(model), findHead(upright)) < 1e-5f);
    REQUIRE_FALSE(model.warnings.empty());
    CHECK(model.warnings.back().find("--up y") != std::string::npos);
  }
}

TEST_CASE("axes that are stated, asked for, or not known by names stay as they are") {
  const Model humanoid = findDemo("humanoid").make();
  const vec3 lies = findHead(lying(humanoid));
  for (const SourceKind kind : {SourceKind::gltf, SourceKind::fbx, SourceKind::collada}) {
    Model model = lying(humanoid);
    rotateUpright(kind, UpAxis::automatic, model);
    CHECK(findHead(model) == lies);
    rotateUpright(kind, UpAxis::z, model);
    CHECK(glm::distance(findHead(model), findHead(humanoid)) < 1e-5f);
  }
  Model same = lying(humanoid);
  rotateUpright(SourceKind::x, UpAxis::y, same);
  CHECK(findHead(same) == lies);
  CHECK(same.warnings.size() == humanoid.warnings.size());
  Model nameless = bones(lying(findDemo("tentacle").make()));
  nameless.clips.clear();
  CHECK_FALSE(standsAlongZ(nameless));
}

TEST_CASE("without names, a skin that stands on the floor of one axis alone says which is up") {
  for (const char* name : {"humanoid", "arm", "tentacle"}) {
    CAPTURE(std::string(name));
    Model model = findDemo(name).make();
    for (std::size_t n = 0; n < model.hierarchy.nodes.size(); ++n)
      model.hierarchy.nodes[n].name = "n" + std::to_string(n);
    // Stood on the floor, whatever the demo does.
    float lowest = 1e9f;
    for (const Mesh& mesh : model.meshes)
      for (const vec3& p : mesh.positions)
        lowest = std::min(lowest, p.y);
    const auto lifted = [&](Model moved, float by) {
      for (Mesh& mesh : moved.meshes)
        for (vec3& p : mesh.positions)
          p.y += by - lowest;
      return moved;
    };
    CHECK_FALSE(standsAlongZ(lifted(model, 0.0f)));
    CHECK(standsAlongZ(lying(lifted(model, 0.0f))));
    // In the air, and about the middle of both, there is nothing to see.
    CHECK_FALSE(standsAlongZ(lying(lifted(model, 3.0f))));
    CHECK_FALSE(standsAlongZ(lying(lifted(model, -0.7f))));
  }
}
