// Stretchable, twistable bones: what must hold (docs/methods.md).
#include "demo/demo.h"
#include "metrics/limb_test_support.h"
#include "skinning/stbs.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

// Two bones of length 1 along x and a third joint at the end; a cloud about them, each vertex with
// one of the first two bones.
struct Chain {
  Rig rig;
  Chain() {
    for (std::uint32_t j = 0; j < 3; ++j)
      rig.joints.push_back({j, j == 0 ? kNoNode : j - 1,
                            glm::translate(mat4(1), vec3(-static_cast<float>(j), 0, 0))});
    Random random(5);
    for (int i = 0; i < 200; ++i) {
      rig.positions.emplace_back(random.uniform(0.0f, 2.0f), random.uniform(-0.3f, 0.3f),
                                 random.uniform(-0.3f, 0.3f));
      rig.normals.push_back(randomDirection(random));
      rig.influences.append({{Influence{rig.positions.back().x < 1.0f ? 0u : 1u, 1.0f}}});
    }
    rig.meshes = {{0, 200, 0, 0, 0}};
    rig.texcoords.resize(200);
    rig.colors.resize(200, vec4(1.0f));
  }
  std::vector<vec3> posed(const std::vector<mat4>& modelFromNode) const {
    return test::skinned(stbsMethod(), rig, modelFromNode).positions;
  }
};

mat4 at(const vec3& position, const quat& rotation = quat(1, 0, 0, 0)) {
  return glm::translate(mat4(1), position) * glm::mat4_cast(rotation);
}

} // namespace

TEST_CASE("twistable bones: without twist and stretch it is linear blending") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed, {.rigidMesh = false}); // a joint a node
    const Rig rig = buildRig(model);
    // Every joint turns across its bone.
    const std::vector<BoneAxis> axes = boneAxes(rig);
    Random random(seed);
    Pose pose = restPose(model.hierarchy);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const RigJoint& joint = rig.joints[j];
      const vec3 bone = glm::normalize(mat3(joint.jointFromBind) * axes[j].direction);
      vec3 across = glm::cross(bone, randomDirection(random));
      if (glm::length(across) < 1e-2f) continue;
      Transform& t = pose.parentFromNode[joint.node];
      t.rotation = t.rotation * glm::angleAxis(random.uniform(-2.5f, 2.5f), glm::normalize(across));
    }
    const auto nodes = modelFromNodes(model.hierarchy, pose);
    const SkinnedMesh bones = test::skinned(stbsMethod(), rig, nodes);
    const SkinnedMesh linear = test::skinned(findMethod("lbs"), rig, nodes);
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      CHECK(glm::length(bones.positions[v] - linear.positions[v]) < 2e-5f);
  }
}

TEST_CASE("twistable bones: a bone's own twist grows evenly from its joint to its end") {
  const Chain chain;
  for (const float angle : {0.5f, -2.0f, 3.1f, 3.14159265f}) {
    CAPTURE(angle);
    const quat twist = glm::angleAxis(angle, vec3(1, 0, 0));
    const std::vector<vec3> out =
        chain.posed({at({0, 0, 0}), at({1, 0, 0}, twist), at({2, 0, 0}, twist)});
    for (std::size_t v = 0; v < out.size(); ++v) {
      const vec3& p = chain.rig.positions[v];
      const float share = std::max(p.x - 1.0f, 0.0f);
      const vec3 expected = glm::angleAxis(share * angle, vec3(1, 0, 0)) * p;
      // The share is stored in steps of 1/65535.
      CHECK(glm::length(out[v] - expected) < 2e-5f);
    }
  }
}

TEST_CASE("stretchable bones: the skin goes evenly from joint to joint") {
  const Chain chain;
  for (const float length : {0.5f, 1.0f, 2.0f}) {
    CAPTURE(length);
    const std::vector<vec3> out =
        chain.posed({at({0, 0, 0}), at({1, 0, 0}), at({1.0f + length, 0, 0})});
    for (std::size_t v = 0; v < out.size(); ++v) {
      vec3 expected = chain.rig.positions[v];
      if (expected.x > 1.0f) expected.x = 1.0f + length * (expected.x - 1.0f);
      CHECK(glm::length(out[v] - expected) < 2e-5f);
    }
  }
}

TEST_CASE("twistable bones: a twisted limb keeps its thickness, and small steps are small") {
  const test::Limb elbow(findDemo("arm").make(), "LowerArm");
  CHECK(elbow.section(elbow.twisted(stbsMethod(), 180.0f)) > 0.97f);
  std::vector<vec3> before;
  for (int degrees = -170; degrees <= 170; degrees += 2) {
    const auto now = elbow.twisted(stbsMethod(), static_cast<float>(degrees)).positions;
    if (!before.empty())
      CHECK(test::largestMove(before, now) < 0.05f * boundsOf(elbow.probe.rest).size());
    before = now;
  }
}
