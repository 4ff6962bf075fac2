// Stretchable, twistable bones: what must hold (docs/methods.md).
#include "demo/demo.h"
#include "metrics/limb_test_support.h"
#include "skinning/method_entries.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

using namespace sinew;

namespace {

// Three bones of length 1 along x in a tube of rings of eight vertices, each with one bone. Where
// `helper` is set, a joint without skin stands between the first bone and the second.
struct Chain {
  static constexpr std::uint32_t kRings = 31;
  static constexpr std::uint32_t kRound = 8;
  Rig rig;
  explicit Chain(bool helper = false) {
    for (std::uint32_t j = 0; j < 3; ++j)
      rig.joints.push_back({j, j == 0 ? kNoNode : j - 1,
                            glm::translate(mat4(1), vec3(-static_cast<float>(j), 0, 0))});
    if (helper) {
      rig.joints.push_back({1, 0, rig.joints[1].jointFromBind});
      rig.joints[1].parent = 3;
      rig.joints[1].node = 2;
      rig.joints[2].node = 3;
    }
    for (std::uint32_t r = 0; r < kRings; ++r)
      for (std::uint32_t i = 0; i < kRound; ++i) {
        const float angle = 0.25f * glm::pi<float>() * static_cast<float>(i);
        rig.normals.emplace_back(0.0f, std::cos(angle), std::sin(angle));
        rig.positions.push_back(vec3(0.1f * static_cast<float>(r), 0, 0) +
                                0.3f * rig.normals.back());
        rig.influences.append({{Influence{r < 10 ? 0u : r < 20 ? 1u : 2u, 1.0f}}});
        if (r == 0) continue;
        const std::uint32_t next = (i + 1) % kRound;
        const std::uint32_t here = r * kRound;
        rig.triangles.push_back({here - kRound + i, here + i, here + next});
        rig.triangles.push_back({here - kRound + i, here + next, here - kRound + next});
      }
    const auto count = static_cast<std::uint32_t>(rig.positions.size());
    rig.meshes = {{0, count, 0, static_cast<std::uint32_t>(rig.triangles.size()), 0}};
    rig.texcoords.resize(count);
    rig.colors.resize(count, vec4(1.0f));
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
      const float share = std::clamp(p.x - 1.0f, 0.0f, 1.0f);
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
      const float along = expected.x - 1.0f;
      if (along > 0.0f)
        expected.x = 1.0f + length * std::min(along, 1.0f) + std::max(along - 1.0f, 0.0f);
      CHECK(glm::length(out[v] - expected) < 2e-5f);
    }
  }
}

TEST_CASE("twistable bones: at the end of a chain all of the twist arrives") {
  const Chain chain;
  const quat twist = glm::angleAxis(2.0f, vec3(1, 0, 0));
  const std::vector<vec3> out = chain.posed({at({0, 0, 0}), at({1, 0, 0}), at({2, 0, 0}, twist)});
  for (std::size_t v = 0; v < out.size(); ++v) {
    const vec3& p = chain.rig.positions[v];
    if (p.x < 1.95f) CHECK(glm::length(out[v] - p) < 2e-5f);
    if (p.x > 2.15f) CHECK(glm::length(out[v] - twist * p) < 2e-5f);
  }
}

TEST_CASE("twistable bones: a joint without skin between two bones changes nothing") {
  const quat twist = glm::angleAxis(1.5f, vec3(1, 0, 0));
  const std::vector<mat4> nodes{at({0, 0, 0}), at({1, 0, 0}, twist), at({2, 0, 0}, twist)};
  const std::vector<vec3> without = Chain().posed(nodes);
  for (const float helper : {0.0f, 0.7f, 1.5f, -3.0f}) {
    CAPTURE(helper);
    const mat4 between = at({1, 0, 0}, glm::angleAxis(helper, vec3(1, 0, 0)));
    const std::vector<vec3> with = Chain(true).posed({nodes[0], between, nodes[1], nodes[2]});
    for (std::size_t v = 0; v < with.size(); ++v)
      CHECK(glm::length(with[v] - without[v]) < 2e-5f);
  }
}

TEST_CASE("stretchable bones: a joint that moves no skin stretches nothing") {
  Chain chain;
  const std::vector<mat4> nodes{at({0, 0, 0}), at({1, 0, 0}), at({2, 0, 0})};
  const auto count = static_cast<std::uint32_t>(chain.rig.joints.size());
  chain.rig.joints.push_back({count, 2, glm::translate(mat4(1), vec3(-3, 0, 0))});
  std::vector<mat4> moved = nodes;
  moved.push_back(at({9, 0, 0}));
  const std::vector<vec3> out = chain.posed(moved);
  for (std::size_t v = 0; v < out.size(); ++v)
    CHECK(glm::length(out[v] - chain.rig.positions[v]) < 2e-5f);
}

TEST_CASE("twistable bones: a twisted limb keeps its thickness, and small steps are small") {
  const test::Limb elbow(findDemo("arm").make(), "LowerArm");
  CHECK(elbow.section(elbow.twisted(stbsMethod(), 180.0f)) > 0.97f);
  std::vector<vec3> before;
  for (int degrees = -170; degrees <= 170; degrees += 2) {
    const auto now = elbow.twisted(stbsMethod(), static_cast<float>(degrees)).positions;
    if (!before.empty())
      CHECK(test::largestMove(before, now) < 0.05f * computeBounds(elbow.probe.rest).size());
    before = now;
  }
}
