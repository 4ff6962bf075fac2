#include "animation/pose.h"
#include "core/error.h"
#include "demo/demo.h"
#include "weights/bind_model.h"
#include "weights/transfer_rig.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace sinew {
namespace {

std::uint32_t jointNamed(const TransferredRig& rig, const std::string& name) {
  const auto found = std::ranges::find(rig.joints, name);
  REQUIRE(found != rig.joints.end());
  return static_cast<std::uint32_t>(found - rig.joints.begin());
}

using NamedWeights = std::map<std::string, float>;

// Per vertex, by the joints' names.
std::vector<NamedWeights> byName(const std::vector<std::string>& joints,
                                 const Influences& weights) {
  std::vector<NamedWeights> out(weights.vertexCount());
  for (std::size_t v = 0; v < out.size(); ++v)
    for (const Influence& each : weights.of(v))
      out[v][joints[each.joint]] += each.weight;
  return out;
}
std::vector<NamedWeights> byName(const TransferredRig& rig) {
  return byName(rig.joints, rig.weights.influences);
}

float named(const NamedWeights& weights, const std::string& joint) {
  const auto found = weights.find(joint);
  return found == weights.end() ? 0.0f : found->second;
}

float largestDifference(const std::vector<NamedWeights>& a, const std::vector<NamedWeights>& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0.0f;
  for (std::size_t v = 0; v < a.size(); ++v) {
    for (const auto& [joint, weight] : a[v])
      largest = std::max(largest, std::abs(weight - named(b[v], joint)));
    for (const auto& [joint, weight] : b[v])
      largest = std::max(largest, std::abs(weight - named(a[v], joint)));
  }
  return largest;
}

TransferRigOptions wholeWeights() {
  TransferRigOptions out;
  out.weights.by = TransferBy::order;
  out.weights.influences = 0;
  return out;
}

Model twoSidedHumanoid() {
  return findDemo("humanoid").make();
}

std::vector<NamedWeights> ownWeights(const Model& model) {
  return byName(transferRig(model, model, wholeWeights()));
}

// The weights of one joint go to another.
Model spoiled(Model model, const std::string& from, const std::string& to) {
  for (Mesh& mesh : model.meshes) {
    if (!mesh.skin) continue;
    const auto findIndex = [&](const std::string& name) {
      const std::uint32_t node = *findNode(model.hierarchy, name);
      const auto found = std::ranges::find(model.skins[*mesh.skin].joints, node, &SkinJoint::node);
      return static_cast<std::uint32_t>(found - model.skins[*mesh.skin].joints.begin());
    };
    const std::uint32_t joint = findIndex(from), onto = findIndex(to);
    Influences moved;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      std::vector<Influence> vertex;
      float sum = 0.0f;
      for (const Influence& each : mesh.influences.of(v))
        if (each.joint == joint || each.joint == onto)
          sum += each.weight;
        else
          vertex.push_back(each);
      if (sum > 0.0f) vertex.insert(vertex.begin(), {onto, sum});
      moved.append(vertex);
    }
    mesh.influences = std::move(moved);
  }
  return model;
}

} // namespace

TEST_CASE("transferred rig: chosen joints alone, and all below them") {
  const Model source = twoSidedHumanoid();
  const Model target = spoiled(source, "LeftHand", "LeftLowerArm");
  const std::vector<NamedWeights> wanted = ownWeights(source), before = ownWeights(target);
  REQUIRE(largestDifference(wanted, before) > 0.5f);
  TransferRigOptions options = wholeWeights();
  options.joints = {"RightHand"};
  CHECK(largestDifference(byName(transferRig(source, target, options)), before) < 1e-5f);
  options.joints = {"LeftHand"};
  const std::vector<NamedWeights> hand = byName(transferRig(source, target, options));
  std::size_t moved = 0;
  for (std::size_t v = 0; v < wanted.size(); ++v) {
    // Where the vertex follows the hand alone nothing else can be scaled: it follows it wholly.
    CHECK(named(hand[v], "LeftHand") ==
          doctest::Approx(named(wanted[v], "LeftHand")).epsilon(1e-4));
    moved += named(hand[v], "LeftHand") > 0.5f ? 1 : 0;
    if (named(wanted[v], "LeftHand") == 0.0f && named(before[v], "LeftHand") == 0.0f)
      CHECK(named(hand[v], "LeftLowerArm") ==
            doctest::Approx(named(before[v], "LeftLowerArm")).epsilon(1e-5));
  }
  CHECK(moved > 10);
  options.joints = {"LeftLowerArm"};
  options.below = true;
  CHECK(largestDifference(byName(transferRig(source, target, options)), wanted) < 1e-4f);
  options.joints = {"nobody"};
  CHECK_THROWS_AS(transferRig(source, target, options), Error);
  options.joints = {"LeftHand"};
  CHECK_THROWS_AS(transferRig(source, meshesAlone(target), options), Error);
}

TEST_CASE("transferred rig: mixed with the target's own weights") {
  const Model source = twoSidedHumanoid();
  const Model target = spoiled(source, "LeftHand", "LeftLowerArm");
  const std::vector<NamedWeights> wanted = ownWeights(source), before = ownWeights(target);
  TransferRigOptions options = wholeWeights();
  options.mix = 0.0f;
  CHECK(largestDifference(byName(transferRig(source, target, options)), before) < 1e-5f);
  options.mix = 0.25f;
  const std::vector<NamedWeights> mixed = byName(transferRig(source, target, options));
  for (std::size_t v = 0; v < mixed.size(); ++v)
    CHECK(named(mixed[v], "LeftHand") == doctest::Approx(0.25f * named(wanted[v], "LeftHand")));
  // The limit of weights applies to the result, and fades.
  options.weights.influences = 1;
  for (const NamedWeights& vertex : byName(transferRig(source, target, options)))
    CHECK(vertex.size() == 1);
}

TEST_CASE("transferred rig: joints are added to the target's skeleton, or replace it") {
  const Model source = twoSidedHumanoid();
  Model target = source;
  target.hierarchy.nodes[*findNode(target.hierarchy, "LeftHand")].name = "Palm";
  target.clips.resize(1);
  target.clips[0].name = "own";
  TransferRigOptions options = wholeWeights();
  options.mix = 0.5f;
  CHECK_THROWS_AS(transferRig(source, target, options), Error); // Palm's weights have no joint
  options.addJoints = true;
  const TransferredRig rig = transferRig(source, target, options);
  REQUIRE(rig.model.clips.size() == 1);
  CHECK(rig.model.clips[0].name == "own");
  const std::uint32_t added = *findNode(rig.model.hierarchy, "LeftHand");
  CHECK(rig.model.hierarchy.nodes[added].parent == *findNode(rig.model.hierarchy, "LeftLowerArm"));
  CHECK(rig.joints.size() == transferRig(source, source, wholeWeights()).joints.size() + 1);
  const auto getPosition = [](const Model& model, const char* name) {
    return vec3(
        modelFromNodes(model.hierarchy, bindPose(model))[*findNode(model.hierarchy, name)][3]);
  };
  CHECK(glm::distance(getPosition(rig.model, "LeftHand"), getPosition(source, "LeftHand")) < 1e-5f);
  CHECK(glm::distance(getPosition(rig.model, "Palm"), getPosition(source, "LeftHand")) < 1e-5f);
  const std::vector<NamedWeights> wanted = ownWeights(source), both = byName(rig);
  for (std::size_t v = 0; v < both.size(); ++v) {
    CHECK(named(both[v], "LeftHand") == doctest::Approx(0.5f * named(wanted[v], "LeftHand")));
    CHECK(named(both[v], "Palm") == doctest::Approx(0.5f * named(wanted[v], "LeftHand")));
  }
  // Without them the source's skeleton takes the place of the target's.
  const TransferredRig replaced = transferRig(source, target, wholeWeights());
  CHECK(replaced.model.clips.size() == source.clips.size());
  CHECK_FALSE(findNode(replaced.model.hierarchy, "Palm"));
  // Every joint that a chosen one hangs at comes along.
  options.mix = 1.0f;
  options.joints = {"LeftHand"};
  const Model arm = findDemo("tentacle").make();
  const TransferredRig onOther = [&] {
    TransferRigOptions near = options;
    near.weights.by = TransferBy::surface;
    return transferRig(source, arm, near);
  }();
  jointNamed(onOther, "LeftHand");
  jointNamed(onOther, "LeftLowerArm");
  CHECK(std::ranges::find(onOther.joints, "RightHand") == onOther.joints.end());
  options.dress = true;
  CHECK_THROWS_AS(transferRig(source, target, options), Error);
}

TEST_CASE("transferred rig: the mirror image gives one side's weights to the other") {
  const Model whole = twoSidedHumanoid();
  const Model uneven = spoiled(whole, "RightHand", "RightLowerArm");
  TransferRigOptions options;
  options.weights.influences = 0;
  options.mirror = true;
  // The humanoid is symmetric.
  const std::vector<NamedWeights> wanted = ownWeights(whole);
  CHECK(largestDifference(byName(transferRig(whole, whole, options)), wanted) < 0.02f);
  options.joints = {"RightHand"};
  const std::vector<NamedWeights> out = byName(transferRig(uneven, uneven, options));
  std::size_t hand = 0;
  for (std::size_t v = 0; v < out.size(); ++v) {
    CHECK(std::abs(named(out[v], "RightHand") - named(wanted[v], "RightHand")) < 0.02f);
    CHECK(std::abs(named(out[v], "LeftHand") - named(wanted[v], "LeftHand")) < 0.02f);
    hand += named(out[v], "RightHand") > 0.5f ? 1 : 0;
  }
  CHECK(hand > 10);
  CHECK_THROWS_AS(transferRig(findDemo("tentacle").make(), uneven, options), Error);
}

} // namespace sinew
