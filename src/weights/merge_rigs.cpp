#include "weights/merge_rigs.h"

#include "core/error.h"
#include "rig/rig.h"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <map>
#include <string_view>

namespace sinew {
namespace {

const std::string& jointName(const Skeleton& skeleton, std::size_t joint) {
  return skeleton.hierarchy.nodes[skeleton.joints[joint]].name;
}

constexpr float kNoWeight = 1e-6f; // a sum of weights below it is rounding

void scaleAll(std::vector<Influence>& weights, float factor) {
  for (Influence& each : weights)
    each.weight *= factor;
}

} // namespace

SameJoints sameJoints(const Skeleton& from, const Skeleton& to) {
  std::map<std::string_view, std::uint32_t> named;
  for (std::uint32_t j = 0; j < to.joints.size(); ++j)
    named.emplace(jointName(to, j), j);
  SameJoints out;
  for (std::size_t j = 0; j < from.joints.size(); ++j) {
    const auto found = named.find(jointName(from, j));
    out.push_back(found == named.end() ? std::nullopt : std::optional(found->second));
  }
  return out;
}

SameJoints addJoints(const Skeleton& from, const std::vector<bool>& wanted, Skeleton& to) {
  SameJoints out = sameJoints(from, to);
  const auto parents = parentJoints(from);
  std::vector<bool> needed = wanted;
  for (std::size_t j = from.joints.size(); j-- > 0;) // children come after their parents
    if (needed[j] && parents[j] && !out[j]) needed[*parents[j]] = true;
  const std::vector<mat4> bound = boundNodes(to);
  for (std::size_t j = 0; j < from.joints.size(); ++j) {
    if (!needed[j] || out[j]) continue;
    const std::optional<std::uint32_t> above = parents[j] ? out[*parents[j]] : std::nullopt;
    const std::uint32_t parent = above ? to.joints[*above] : 0;
    const mat4 modelFromParent = above ? to.modelFromJoint[*above] : bound[0];
    out[j] = static_cast<std::uint32_t>(to.joints.size());
    to.joints.push_back(static_cast<std::uint32_t>(to.hierarchy.nodes.size()));
    to.modelFromJoint.push_back(from.modelFromJoint[j]);
    to.hierarchy.nodes.push_back(
        {freeNodeName(to.hierarchy, jointName(from, j)), parent,
         decompose(glm::inverse(modelFromParent) * from.modelFromJoint[j])});
  }
  return out;
}

Influences weightsBySkeleton(const Model& model, const Skeleton& skeleton, std::string_view path) {
  const Rig rig = buildRig(model);
  std::vector<std::uint32_t> jointByBone;
  for (const RigJoint& joint : rig.joints) {
    std::uint32_t node = joint.node;
    auto found = std::ranges::lower_bound(skeleton.joints, node);
    while (node != kNoNode && (found == skeleton.joints.end() || *found != node)) {
      node = model.hierarchy.nodes[node].parent;
      found = std::ranges::lower_bound(skeleton.joints, node);
    }
    if (node == kNoNode)
      throw inputError(path,
                       fmt::format("has a mesh at '{}', which is below no joint",
                                   model.hierarchy.nodes[joint.node].name),
                       "remove it, or bind it with sinew weights");
    jointByBone.push_back(static_cast<std::uint32_t>(found - skeleton.joints.begin()));
  }
  Influences out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    std::vector<Influence> weights;
    for (const Influence& each : rig.influences.of(v)) {
      const std::uint32_t joint = jointByBone[each.joint];
      const auto found = std::ranges::find(weights, joint, &Influence::joint);
      if (found == weights.end())
        weights.push_back({joint, each.weight});
      else
        found->weight += each.weight;
    }
    out.append(weights);
  }
  return out;
}

std::vector<Influence> combinedWeights(std::span<const Influence> own,
                                       std::span<const Influence> fresh,
                                       const WeightChoice& choice) {
  std::vector<Influence> chosen, others;
  const auto take = [&](std::uint32_t joint, float weight) {
    if (!(weight > 0.0f)) return;
    const auto same = std::ranges::find(chosen, joint, &Influence::joint);
    if (same == chosen.end())
      chosen.push_back({joint, weight});
    else
      same->weight += weight;
  };
  float othersSum = 0.0f;
  for (const Influence& each : own) {
    if (choice.has(each.joint)) {
      take(each.joint, (1.0f - choice.mix) * each.weight);
    } else {
      others.push_back(each);
      othersSum += each.weight;
    }
  }
  for (const Influence& each : fresh)
    if (choice.has(each.joint)) take(each.joint, choice.mix * each.weight);
  float chosenSum = 0.0f;
  for (const Influence& each : chosen)
    chosenSum += each.weight;
  if (!(othersSum > kNoWeight)) {
    if (!(chosenSum > kNoWeight)) return {own.begin(), own.end()};
    scaleAll(chosen, 1.0f / chosenSum);
    return chosen;
  }
  const float left = std::max(1.0f - chosenSum, 0.0f);
  scaleAll(others, left / othersSum);
  if (left > kNoWeight) chosen.insert(chosen.end(), others.begin(), others.end());
  return chosen;
}

} // namespace sinew
