// Directions at right angles to a unit direction, where any will do: for rings, frames and
// tangents. Which one it is jumps where |x| passes 0.6, nowhere else. And the angle between two.
#pragma once

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include <cmath>

namespace sinew {

// The x or the y axis, whichever is well apart from the unit direction.
template <class T>
glm::vec<3, T> axisAcross(const glm::vec<3, T>& direction) {
  return std::abs(direction.x) < T(0.6) ? glm::vec<3, T>(1, 0, 0) : glm::vec<3, T>(0, 1, 0);
}

// Unit.
template <class T>
glm::vec<3, T> perpendicular(const glm::vec<3, T>& direction) {
  return glm::normalize(glm::cross(direction, axisAcross(direction)));
}

// The direction and two perpendiculars, right-handed.
template <class T>
glm::mat<3, 3, T> frameAlong(const glm::vec<3, T>& direction) {
  const glm::vec<3, T> across = perpendicular(direction);
  return {direction, across, glm::cross(direction, across)};
}

// In radians, [0, pi]; for any lengths but 0. By atan2: exact near 0 and pi, where acos is not.
inline double angleBetween(const glm::dvec3& a, const glm::dvec3& b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

} // namespace sinew
