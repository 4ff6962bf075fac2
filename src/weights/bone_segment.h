// A bone for automatic weights: a line segment in the space of the mesh.
#pragma once

#include "core/transform.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace sinew {

struct BoneSegment {
  vec3 from{0.0f}; // the joint it begins at
  vec3 to{0.0f};   // may be equal: a bone without length
};

inline vec3 nearestPoint(const BoneSegment& bone, const vec3& point) {
  const vec3 along = bone.to - bone.from;
  const float squared = glm::dot(along, along);
  if (squared <= 0.0f) return bone.from;
  return bone.from + glm::clamp(glm::dot(point - bone.from, along) / squared, 0.0f, 1.0f) * along;
}

} // namespace sinew
