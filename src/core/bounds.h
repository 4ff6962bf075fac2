// Axis-aligned box of points, and their outline.
#pragma once

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <limits>
#include <span>
#include <vector>

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

// What a camera has to show of a model: its box, and those points that lie farthest in many
// directions. A box alone is larger than what is in it, from most sides by a third.
struct Outline : Bounds {
  // At most one for each of 64 directions; empty: the box's corners count.
  std::vector<glm::vec3> points;

  Outline() = default;
  Outline(const Bounds& box) : Bounds(box) {}

  void include(const glm::vec3& point);
  void include(const Outline& other);
};

// The box is exact; the rest takes only a sample if there are very many points.
Outline makeOutline(std::span<const glm::vec3> points);

Outline moved(Outline outline, const glm::vec3& by);

} // namespace sinew
