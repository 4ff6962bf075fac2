#include "animation/ik/ik_path.h"

#include "core/directions.h"
#include "core/polar.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

quat parentOrientation(const IkPath& path, std::size_t i) {
  return polar(mat3(i == 0 ? path.modelFromBase : path.model[i - 1])).rotation;
}

quat limitedLocal(const quat& rotation, const quat& rest, const JointLimit* limit) {
  if (limit == nullptr) return rotation;
  const quat fromRest = glm::normalize(glm::conjugate(rest) * rotation);
  const quat limited = limitedRotation(fromRest, *limit);
  return limited == fromRest ? rotation : glm::normalize(rest * limited);
}

} // namespace

IkPath makePath(const Hierarchy& hierarchy, const JointLimits& limits, const Pose& pose,
                std::uint32_t root, std::uint32_t tip) {
  IkPath path;
  for (std::uint32_t node = tip; node != hierarchy.nodes[root].parent;
       node = hierarchy.nodes[node].parent) {
    assert(node != kNoNode && "the root of a chain is above its tip");
    path.nodes.push_back(node);
  }
  std::reverse(path.nodes.begin(), path.nodes.end());
  for (std::uint32_t node = hierarchy.nodes[root].parent; node != kNoNode;
       node = hierarchy.nodes[node].parent)
    path.modelFromBase = toMatrix(pose.parentFromNode[node]) * path.modelFromBase;
  for (const std::uint32_t node : path.nodes) {
    path.local.push_back(pose.parentFromNode[node]);
    path.rest.push_back(hierarchy.nodes[node].rest.rotation);
    const bool limited =
        node < limits.size() && !std::holds_alternative<std::monostate>(limits[node]);
    path.limit.push_back(limited ? &limits[node] : nullptr);
  }
  path.model.resize(path.nodes.size());
  updateFrom(path, 0);
  return path;
}

std::size_t indexIn(const IkPath& path, std::uint32_t node) {
  const auto found = std::find(path.nodes.begin(), path.nodes.end(), node);
  assert(found != path.nodes.end() && "each node of a chain descends from the one before");
  return static_cast<std::size_t>(found - path.nodes.begin());
}

void updateFrom(IkPath& path, std::size_t i) {
  for (; i < path.nodes.size(); ++i)
    path.model[i] = (i == 0 ? path.modelFromBase : path.model[i - 1]) * toMatrix(path.local[i]);
}

quat computeOrientation(const IkPath& path, std::size_t i) {
  return glm::normalize(parentOrientation(path, i) * path.local[i].rotation);
}

void rotateNode(IkPath& path, std::size_t i, const quat& modelRotation) {
  const quat parent = parentOrientation(path, i);
  const quat inParent = glm::conjugate(parent) * modelRotation * parent;
  path.local[i].rotation = glm::normalize(inParent * path.local[i].rotation);
  limitNode(path, i);
  updateFrom(path, i);
}

void orient(IkPath& path, std::size_t i, const quat& orientation) {
  path.local[i].rotation = glm::normalize(glm::conjugate(parentOrientation(path, i)) * orientation);
  limitNode(path, i);
  updateFrom(path, i);
}

void limitNode(IkPath& path, std::size_t i) {
  path.local[i].rotation = limitedLocal(path.local[i].rotation, path.rest[i], path.limit[i]);
}

quat rotationBetween(const vec3& a, const vec3& b) {
  const float lengths = std::sqrt(glm::dot(a, a) * glm::dot(b, b));
  if (!(lengths > 0.0f)) return {1.0f, 0.0f, 0.0f, 0.0f};
  // From the half-way vector: exact for small angles, where the arc cosine is not.
  const float cosine = glm::dot(a, b) / lengths;
  if (cosine < -0.999999f) {
    const vec3 axis(perpendicular(glm::dvec3(glm::normalize(a))));
    return glm::angleAxis(3.1415927f, axis);
  }
  const vec3 axis = glm::cross(a, b) / lengths;
  return glm::normalize(quat(1.0f + cosine, axis));
}

void writeBack(const IkPath& path, float weight, Pose& pose) {
  for (std::size_t i = 0; i < path.nodes.size(); ++i) {
    quat& rotation = pose.parentFromNode[path.nodes[i]].rotation;
    const quat blended = weight >= 1.0f ? path.local[i].rotation
                                        : slerpShortest(rotation, path.local[i].rotation, weight);
    // A blend of two allowed rotations is not always allowed.
    rotation = limitedLocal(blended, path.rest[i], path.limit[i]);
  }
}

} // namespace sinew
