#include "animation/pose.h"
#include "animation/random_model.h"
#include "core/transform.h"
#include "demo/demo.h"
#include "metrics/limb_test_support.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <array>

using namespace sinew;

namespace {

SkinnedMesh skinned(const Rig& rig, const std::vector<mat4>& modelFromNode) {
  const Method& method = findMethod("dqs");
  const Binding binding = method.bind(rig, {12, {}});
  Palette palette;
  packPalette(method, rig, binding, modelFromNode, palette);
  SkinnedMesh out;
  method.skin(rig, binding, palette, out);
  return out;
}

} // namespace

TEST_CASE("dqs: with one influence it is that joint's matrix, stretched or not") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomModelOptions options;
    options.influences = 1;
    options.nonUniformScale = seed % 2 == 0;
    options.joints = 8;
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed, options));
    const SkinnedMesh out = skinned(rig, modelFromNode);
    const float size = std::max(1.0f, computeBounds(out.positions).size());
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const RigJoint& joint = rig.joints[rig.influences.of(v)[0].joint];
      const mat4 m = modelFromNode[joint.node] * joint.jointFromBind;
      CHECK(glm::length(out.positions[v] - transformPoint(m, rig.positions[v])) < 5e-6f * size);
    }
  }
}

TEST_CASE("dqs: two rigid joints of equal weight are half way along their screw") {
  // Half of the relative motion, found without blending: its square is the whole.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    Rig rig = buildRig(model);
    const Pose pose = randomPose(model, seed);
    const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
    Influences halves;
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      halves.append(std::array{Influence{1, 0.5f}, Influence{2, 0.5f}});
    rig.influences = halves;
    const auto computeMotion = [&](std::size_t j) {
      const mat4 m = modelFromNode[rig.joints[j].node] * rig.joints[j].jointFromBind;
      return dualQuaternion(glm::normalize(glm::quat_cast(mat3(m))), vec3(m[3]));
    };
    const DualQuaternion a = computeMotion(1);
    DualQuaternion b = computeMotion(2);
    if (glm::dot(a.real, b.real) < 0.0f) b = {-b.real, -b.dual};
    const SkinnedMesh out = skinned(rig, modelFromNode);
    const DualQuaternion backFromA{glm::conjugate(a.real), glm::conjugate(a.dual)};
    for (std::size_t v = 0; v < 20; ++v) {
      // (m a^-1) applied twice to a's place gives b's, where m is the blend.
      const DualQuaternion m = normalize({a.real + b.real, a.dual + b.dual});
      const DualQuaternion step = m * backFromA;
      const vec3 atA = transformPoint(a, rig.positions[v]);
      // A half is stored as 32768 / 65535, which moves a vertex by up to 1.6e-5 of its way.
      CHECK(glm::length(transformPoint(step, atA) - out.positions[v]) < 5e-5f);
      CHECK(glm::length(transformPoint(step, out.positions[v]) -
                        transformPoint(b, rig.positions[v])) < 1e-4f);
    }
  }
}

TEST_CASE("dqs: a scale of most joints leaves the skin of the others alone") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    Rig rig = buildRig(model);
    const auto count = static_cast<std::uint32_t>(rig.joints.size());
    Influences influences; // half of the skin follows the first two joints
    for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
      if (v % 2 == 0)
        influences.append(std::array{Influence{0, 0.5f}, Influence{1, 0.5f}});
      else
        influences.append(std::array{Influence{2 + v % (count - 2), 1.0f}});
    rig.influences = influences;
    for (std::uint32_t j = 0; j < count; ++j)
      rig.joints[j].parent = j == 0 ? kNoNode : 0;
    auto modelFromNode = modelFromNodes(model.hierarchy, randomPose(model, seed));
    const SkinnedMesh before = skinned(rig, modelFromNode);
    for (std::size_t j = 2; j < count; ++j) {
      const std::uint32_t node = rig.joints[j].node; // several skins may follow one
      if (node == rig.joints[0].node || node == rig.joints[1].node) continue;
      for (int c = 0; c < 3; ++c)
        modelFromNode[node][c] *= 1.3f;
    }
    const SkinnedMesh after = skinned(rig, modelFromNode);
    for (std::size_t v = 0; v < after.positions.size(); v += 2)
      CHECK(glm::length(after.positions[v] - before.positions[v]) < 2e-6f);
  }
}

TEST_CASE("dqs: bulge-free skin is nowhere farther from its bones than at rest") {
  const Method& method = findMethod("dqs");
  const BindOptions on{.influences = 12, .parameters = {1}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    const Rig rig = buildRig(model);
    const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, seed));
    const SkinnedMesh plain = skinned(rig, nodes);
    const SkinnedMesh out = test::skinned(method, rig, nodes, on);
    const std::vector<BoneAxis> axes = boneAxes(rig);
    const auto distance = [&](std::size_t v, const vec3& p, bool posed) {
      float nearest = 1e30f;
      for (const Influence& influence : rig.influences.of(v)) {
        const BoneAxis& axis = axes[influence.joint];
        const mat4 m = posed ? test::boneMatrix(rig, nodes, influence.joint) : mat4(1.0f);
        nearest = std::min(
            nearest,
            test::distanceToSegment(p, transformPoint(m, axis.center),
                                    transformPoint(m, axis.center + axis.length * axis.direction)));
      }
      return nearest;
    };
    std::size_t moved = 0;
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
      const float rest = distance(v, rig.positions[v], false);
      CHECK(distance(v, out.positions[v], true) <= rest + 1e-5f);
      if (distance(v, plain.positions[v], true) > rest + 1e-5f)
        ++moved;
      else // where nothing bulges, nothing changes
        CHECK(glm::length(out.positions[v] - plain.positions[v]) < 2e-5f);
    }
    CHECK(moved > 0);
  }
  const test::Limb elbow(findDemo("arm").make(), "LowerArm");
  CHECK(elbow.reach(elbow.bent(method, 120.0f)) > 1.05f);
  CHECK(elbow.reach(elbow.bent(method, 120.0f, on)) <= 1.0f + 1e-4f);
}

TEST_CASE("dqs: bulge-free is a variant, of which nothing is left where it is off") {
  const Rig rig = buildRig(randomModel(1));
  const Binding off = findMethod("dqs").bind(rig, {});
  const Binding on = findMethod("dqs").bind(rig, {.parameters = {1}});
  CHECK(off.variant.own.empty());
  CHECK(off.rowsPerEntry == 5);
  CHECK(makeDefines(on.variant).back() == "BONE_ROW 5");
  CHECK(on.rowsPerEntry == 9);
  CHECK(on.attributes.size() == off.attributes.size());
}
