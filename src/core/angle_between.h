// The angle between two vectors.
#pragma once

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {

// In radians, [0, pi]; of any lengths but 0. By atan2: exact near 0 and pi, where acos is not.
inline double angleBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

} // namespace sinew
