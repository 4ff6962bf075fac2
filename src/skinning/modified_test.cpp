// Velocity skinning as a modifier of every method of the table.
#include "animation/random_model.h"
#include "rig/morph.h"
#include "skinning/joint_test_support.h"
#include "skinning/methods.h"
#include "skinning/modified.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

using namespace sinew;

namespace {

bool equalBits(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(vec3)) == 0;
}

std::vector<MatrixRows> anyRows(std::size_t joints, std::uint64_t seed) {
  Random random(seed);
  std::vector<MatrixRows> out(joints);
  for (MatrixRows& rows : out)
    for (vec4* row : {&rows.x, &rows.y, &rows.z})
      for (int i = 0; i < 4; ++i)
        (*row)[i] = random.uniform(-0.2f, 0.2f);
  return out;
}

struct PosedBy {
  Binding binding;
  Palette palette;
  SkinnedMesh mesh;
};

PosedBy poseBy(const Method& method, const Rig& rig, const std::vector<mat4>& modelFromNode,
               const std::vector<MatrixRows>& rows = {}) {
  PosedBy out;
  out.binding = method.bind(rig, {});
  packPalette(method, rig, out.binding, modelFromNode, out.palette);
  if (!rows.empty()) putModifierRows(out.binding, rows, out.palette.rows);
  method.skin(rig, out.binding, out.palette, out.mesh);
  return out;
}

} // namespace

TEST_CASE("a modifier that moves nothing changes no bit of any method") {
  const Model model = randomModel(11);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 12));
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    const Method& both = modified(method, velocityModifier());
    CHECK(&both == &modified(method, velocityModifier()));
    CHECK(both.name == method.name);
    const PosedBy still = poseBy(method, rig, nodes);
    const PosedBy same = poseBy(both, rig, nodes);
    CHECK(isModified(same.binding, velocityModifier()));
    CHECK_FALSE(isModified(still.binding, velocityModifier()));
    CHECK(equalBits(same.mesh.positions, still.mesh.positions));
    CHECK(equalBits(same.mesh.normals, still.mesh.normals));

    // Nor where the painted strength is 0.
    PosedBy painted = poseBy(both, rig, nodes, anyRows(rig.joints.size(), 5));
    setModifierStrength(std::vector<float>(rig.positions.size(), 0.0f), painted.binding);
    both.skin(rig, painted.binding, painted.palette, painted.mesh);
    CHECK(equalBits(painted.mesh.positions, still.mesh.positions));
  }
}

TEST_CASE("a modifier moves what any method has posed by weights and strength") {
  const Model model = randomModel(13);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 14));
  const std::vector<MatrixRows> rows = anyRows(rig.joints.size(), 6);
  std::vector<float> strength;
  Random random(7);
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    strength.push_back(random.uniform(0, 1));
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    const Method& both = modified(method, velocityModifier());
    const PosedBy still = poseBy(method, rig, nodes);
    PosedBy moved = poseBy(both, rig, nodes, rows);
    setModifierStrength(strength, moved.binding);
    both.skin(rig, moved.binding, moved.palette, moved.mesh);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      const vec3 p = still.mesh.positions[v];
      vec3 sum(0.0f);
      for (const Influence& i : rig.influences.of(v))
        sum += i.weight * transformPoint(rows[i.joint], p);
      CHECK(glm::length(moved.mesh.positions[v] - (p + strength[v] * sum)) < 2e-4f);
      const float length = glm::length(moved.mesh.normals[v]);
      CHECK((length == 0.0f || std::abs(length - 1.0f) < 1e-4f));
    }
  }
}

TEST_CASE("a normal under a modifier is that of the map of its neighbourhood") {
  Model model = randomModel(15);
  Rig rig = buildRig(model);
  test::bindToOneBone(rig); // so that weights do not grow across the surface
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 16));
  const std::vector<MatrixRows> rows = anyRows(rig.joints.size(), 8);
  const Method& lbs = findMethod("lbs");
  const PosedBy still = poseBy(lbs, rig, nodes);
  const PosedBy moved = poseBy(modified(lbs, velocityModifier()), rig, nodes, rows);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const MatrixRows& d = rows[rig.influences.of(v)[0].joint];
    const vec3 normal = still.mesh.normals[v];
    const vec3 u = glm::normalize(glm::cross(normal, vec3(0.3f, 0.5f, -0.8f)));
    for (const vec3& tangent : {u, glm::cross(normal, u)}) {
      const vec3 to = tangent + vec3(glm::dot(vec3(d.x), tangent), glm::dot(vec3(d.y), tangent),
                                     glm::dot(vec3(d.z), tangent));
      CHECK(std::abs(glm::dot(moved.mesh.normals[v], to)) < 1e-4f);
    }
    CHECK(glm::dot(moved.mesh.normals[v], normal) > 0.0f);
  }
}

TEST_CASE("morph targets move the vertices that a modifier moves") {
  Model model = randomModel(17);
  addRandomMorphs(model, 3, 18);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 19));
  const std::vector<MatrixRows> rows = anyRows(rig.joints.size(), 9);
  const std::vector<float> weights{0.7f, 0.4f, 1.0f};
  for (const Method& method : methods()) {
    CAPTURE(method.name);
    const Method& both = modified(method, velocityModifier());
    const PosedBy still = poseBy(method, rig, nodes);
    const PosedBy moved = poseBy(both, rig, nodes, rows);
    SkinnedMesh base;
    skinMorphed(method, rig, still.binding, still.palette, weights, base);
    SkinnedMesh out;
    skinMorphed(both, rig, moved.binding, moved.palette, weights, out);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      const vec3 p = base.positions[v];
      vec3 sum = p;
      for (const Influence& i : rig.influences.of(v))
        sum += i.weight * transformPoint(rows[i.joint], p);
      CHECK(glm::length(out.positions[v] - sum) < 2e-4f);
    }
  }
}
