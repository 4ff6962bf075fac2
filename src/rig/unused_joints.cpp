#include "rig/rig_steps.h"

#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Per joint the nearest one with skin: itself, else above it, else the first below; kNoNode: none.
std::vector<std::uint32_t> nearestWithSkin(const Rig& rig) {
  const std::vector<bool> used = jointsWithSkin(rig);
  const std::vector<std::uint32_t> order = parentsFirst(rig);
  std::vector<std::uint32_t> above(order.size(), kNoNode), below(order.size(), kNoNode);
  for (const std::uint32_t j : order) {
    const std::uint32_t parent = rig.joints[j].parent;
    if (used[j])
      above[j] = below[j] = j;
    else if (parent != kNoNode)
      above[j] = above[parent];
  }
  for (auto j = order.rbegin(); j != order.rend(); ++j)
    if (const std::uint32_t parent = rig.joints[*j].parent; parent != kNoNode)
      if (!used[parent] && below[*j] != kNoNode) below[parent] = below[*j];
  for (std::size_t j = 0; j < above.size(); ++j)
    if (above[j] == kNoNode) above[j] = below[j];
  return above;
}

float computeScale(const mat4& m) {
  return std::cbrt(std::abs(glm::determinant(mat3(m))));
}

// Whether what the file states of a joint without skin, `own` at rest, cannot belong to the bind
// pose of its neighbour with skin.
bool isUnrelated(const mat4& jointFromBind, const mat4& own, const mat4& neighbour) {
  constexpr float kSame = 0.01f;
  if (jointFromBind == mat4(1.0f)) return true;
  const float expected = computeScale(neighbour);
  return std::abs(computeScale(own) - expected) > kSame * expected;
}

} // namespace

std::vector<mat4> restOfNodes(const Hierarchy& hierarchy) {
  std::vector<mat4> modelFromNode;
  modelFromNode.reserve(hierarchy.nodes.size());
  for (const Node& node : hierarchy.nodes) {
    const mat4 local = toMatrix(node.rest);
    modelFromNode.push_back(node.parent == kNoNode ? local : modelFromNode[node.parent] * local);
  }
  return modelFromNode;
}

std::vector<bool> jointsWithSkin(const Rig& rig) {
  std::vector<bool> used(rig.joints.size(), false);
  for (const Influence& influence : rig.influences.values)
    if (influence.weight > 0.0f) used[influence.joint] = true;
  return used;
}

void placeUnusedJoints(const Hierarchy& hierarchy, Rig& rig) {
  const std::vector<mat4> rest = restOfNodes(hierarchy);
  const std::vector<std::uint32_t> nearest = nearestWithSkin(rig);
  for (std::size_t j = 0; j < nearest.size(); ++j) {
    if (nearest[j] == kNoNode || nearest[j] == j) continue;
    RigJoint& joint = rig.joints[j];
    const RigJoint& other = rig.joints[nearest[j]];
    const mat4 neighbour = rest[other.node] * other.jointFromBind;
    if (!isUnrelated(joint.jointFromBind, rest[joint.node] * joint.jointFromBind, neighbour))
      continue;
    const mat4 placed = glm::inverse(rest[joint.node]) * neighbour;
    if (isFinite(placed)) joint.jointFromBind = placed;
  }
}

} // namespace sinew
