#include "export/node_constraint.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr float kSameDirection = 1e-3f; // radians

std::optional<int> coordinateAxis(const vec3& axis) {
  for (int i = 0; i < 3; ++i) {
    vec3 across = axis;
    across[i] = 0.0f;
    if (glm::length(across) < kSameDirection) return i;
  }
  return std::nullopt;
}

std::optional<NodeConstraint> makeConstraint(const Model& model, const ShareDriver& share,
                                             const std::string& joint) {
  const Hierarchy& hierarchy = model.hierarchy;
  const auto node = findNode(hierarchy, joint);
  const auto source = findNode(hierarchy, share.input.joint);
  if (!node || !source || !(share.share >= 0.0f && share.share <= 1.0f)) return std::nullopt;
  const Node& driven = hierarchy.nodes[*node];
  const Node& input = hierarchy.nodes[*source];
  if (driven.parent != input.parent) return std::nullopt;
  NodeConstraint out{*node, *source, false, 0, share.share};
  if (share.input.part == RotationPart::whole) {
    if (angleBetween(driven.rest.rotation, input.rest.rotation) > kSameDirection)
      return std::nullopt;
    return out;
  }
  if (share.input.part != RotationPart::twist) return std::nullopt;
  const quat drivenFromInput = glm::conjugate(driven.rest.rotation) * input.rest.rotation;
  const std::optional<int> axis = coordinateAxis(drivenFromInput * share.input.axis);
  if (!axis) return std::nullopt;
  out.roll = true;
  out.rollAxis = *axis;
  return out;
}

} // namespace

std::vector<NodeConstraint> makeConstraints(const Model& model, const PoseDrivers& drivers) {
  std::vector<NodeConstraint> out;
  for (const PoseDriver& driver : drivers) {
    const auto* share = std::get_if<ShareDriver>(&driver.kind);
    if (share == nullptr || !driver.on) continue;
    for (const std::string& joint : driver.joints)
      if (const auto constraint = makeConstraint(model, *share, joint))
        if (std::none_of(out.begin(), out.end(), [&](const NodeConstraint& other) {
              return other.node == constraint->node;
            }))
          out.push_back(*constraint);
  }
  return out;
}

} // namespace sinew
