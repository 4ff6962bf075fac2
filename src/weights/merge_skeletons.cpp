#include "weights/merge_skeletons.h"

#include <glm/matrix.hpp>

#include <map>
#include <string_view>

namespace sinew {
namespace {

const std::string& jointName(const Skeleton& skeleton, std::size_t joint) {
  return skeleton.hierarchy.nodes[skeleton.joints[joint]].name;
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

} // namespace sinew
