// Axis-aligned box of points.
#pragma once

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <limits>

namespace sinew {

struct Bounds {
  glm::vec3 min{std::numeric_limits<float>::max()};
  glm::vec3 max{std::numeric_limits<float>::lowest()};

  void include(const glm::vec3& p) {
    min = glm::min(min, p);
    max = glm::max(max, p);
  }
  void include(const Bounds& other) {
    min = glm::min(min, other.min);
    max = glm::max(max, other.max);
  }
  bool empty() const { return min.x > max.x; }
  glm::vec3 center() const { return 0.5f * (min + max); }
  glm::vec3 extent() const { return max - min; }
  // Length of the diagonal: "the model's size" of every tolerance in this project.
  float size() const { return empty() ? 0.0f : glm::length(max - min); }
};

} // namespace sinew
