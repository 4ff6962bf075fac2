#include "animation/layers/layer_joints.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {

std::uint32_t namedJoint(const Hierarchy& hierarchy, const std::string& name) {
  const auto node = findNode(hierarchy, name);
  if (!node) throw usageError(fmt::format("the model has no joint '{}'", name));
  return *node;
}

std::vector<std::uint32_t> namedChain(const Hierarchy& hierarchy, const std::string& first,
                                      const std::string& last) {
  const std::uint32_t top = namedJoint(hierarchy, first);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t node = namedJoint(hierarchy, last); node != kNoNode;
       node = hierarchy.nodes[node].parent) {
    chain.push_back(node);
    if (node != top) continue;
    std::reverse(chain.begin(), chain.end());
    return chain;
  }
  throw usageError(fmt::format("'{}' is not above '{}'", first, last),
                   "name the joint nearer to the root first");
}

vec3 unitAxis(const vec3& axis, std::string_view what) {
  const float length = glm::length(axis);
  if (!(length > 0.0f)) throw usageError(fmt::format("'{}' is 0 0 0, no direction", what));
  return axis / length;
}

} // namespace sinew
