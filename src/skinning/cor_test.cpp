// Centres of rotation: what must hold (docs/methods.md).
#include "core/test_effort.h"
#include "demo/demo.h"
#include "metrics/limb_test_support.h"
#include "rig/rotation_centers.h"
#include "skinning/method_entries.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

vec3 readCenter(const Binding& binding, std::size_t v) {
  return vec3(readFloat(findAttribute(binding, "rotationCenter"), v));
}

// Linear blending of a point, with the weights that the binding holds.
vec3 blended(const Rig& rig, const Binding& lbs, const std::vector<mat4>& modelFromNode,
             std::size_t v, const vec3& point) {
  const glm::uvec4 joints = readUint(findAttribute(lbs, "joints0"), v);
  const vec4 weights = readFloat(findAttribute(lbs, "weights0"), v);
  vec3 sum(0.0f);
  for (int i = 0; i < 4; ++i)
    sum += weights[i] * transformPoint(test::boneMatrix(rig, modelFromNode, joints[i]), point);
  return sum;
}

} // namespace

TEST_CASE("centres of rotation: a vertex keeps its distance to its centre, which moves linearly") {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(20, 6)); ++seed) {
    CAPTURE(seed);
    const RandomModelOptions options{.influences = 4};
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed, options));
    const Binding binding = corMethod().bind(rig, {.influences = 4});
    const Binding lbs = findMethod("lbs").bind(rig, {.influences = 4});
    const SkinnedMesh out = test::skinned(corMethod(), rig, modelFromNode, {.influences = 4});
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const vec3 center = readCenter(binding, v);
      const vec3 moved = blended(rig, lbs, modelFromNode, v, center);
      CHECK(std::abs(glm::length(out.positions[v] - moved) -
                     glm::length(rig.positions[v] - center)) < 1e-5f);
    }
  }
}

TEST_CASE("centres of rotation: with one influence it is that joint's matrix, stretched or not") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const RandomModelOptions options{
        .joints = 8, .influences = 1, .nonUniformScale = seed % 2 == 0};
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed, options));
    const SkinnedMesh out = test::skinned(corMethod(), rig, modelFromNode);
    const float size = std::max(1.0f, computeBounds(out.positions).size());
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const mat4 m = test::boneMatrix(rig, modelFromNode, rig.influences.of(v)[0].joint);
      CHECK(glm::length(out.positions[v] - transformPoint(m, rig.positions[v])) < 5e-6f * size);
    }
  }
}

TEST_CASE("centres of rotation: an elbow does not bulge, and twists as dual quaternions do") {
  const test::Limb elbow(findDemo("arm").make(), "LowerArm");
  const auto reach = [&](const char* name, float degrees) {
    return elbow.reach(elbow.bent(findMethod(name), degrees));
  };
  CHECK(reach("cor", 120.0f) <= 1.02f);
  CHECK(reach("dqs", 120.0f) > 1.05f);
  const auto section = [&](const char* name) {
    return elbow.section(elbow.twisted(findMethod(name), 180.0f));
  };
  CHECK(section("cor") >= section("dqs") - 0.01f);
  CHECK(section("lbs") < 0.15f);
}

TEST_CASE("centres of rotation: morph targets leave the centres where they are") {
  Model model = randomModel(7);
  addRandomMorphs(model, 4, 7);
  const Rig rig = buildRig(model);
  const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, 8));
  const Binding binding = corMethod().bind(rig, {});
  Palette palette;
  packPalette(corMethod(), rig, binding, modelFromNode, palette);
  MorphedVertices morphed;
  applyMorphs(rig, randomWeights(model, 9), morphed);
  SkinnedMesh plain;
  SkinnedMesh moved;
  corMethod().skin(rig, binding, palette, plain);
  corMethod().skin(BindVertices(rig, morphed), binding, palette, moved);
  // A rigid motion of the vertex, whatever its place.
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    CHECK(std::abs(glm::length(moved.positions[v] - plain.positions[v]) -
                   glm::length(morphed.positions[v] - rig.positions[v])) < 1e-5f);
}
