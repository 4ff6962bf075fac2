#include "core/bounds.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew {
namespace {

constexpr std::size_t kDirections = 64;
constexpr std::size_t kSample = 16384;

// On a spiral around the sphere: no direction is farther than 20 degrees from one of them, and what
// lies farthest in that one is 6 % short at most.
const std::array<glm::vec3, kDirections>& directions() {
  static const std::array<glm::vec3, kDirections> made = [] {
    std::array<glm::vec3, kDirections> out;
    const float golden = std::numbers::pi_v<float> * (3.0f - std::sqrt(5.0f));
    for (std::size_t i = 0; i < kDirections; ++i) {
      const float y = 1.0f - (2.0f * static_cast<float>(i) + 1.0f) / kDirections;
      const float level = std::sqrt(1.0f - y * y);
      const float angle = golden * static_cast<float>(i);
      out[i] = {level * std::cos(angle), y, level * std::sin(angle)};
    }
    return out;
  }();
  return made;
}

// The points, among every stride-th, that lie farthest in some direction, each once. Their box is
// scaled to a cube before, so that a flat or thin model is as well covered as a round one.
std::vector<glm::vec3> farthest(std::span<const glm::vec3> points, const Bounds& box,
                                std::size_t stride) {
  const glm::vec3 extent = glm::max(box.extent(), glm::vec3(1e-30f));
  std::array<glm::vec3, kDirections> along = directions();
  for (glm::vec3& direction : along)
    direction /= extent;
  std::array<float, kDirections> reaches;
  std::array<std::size_t, kDirections> which{};
  reaches.fill(std::numeric_limits<float>::lowest());
  for (std::size_t i = 0; i < points.size(); i += stride)
    for (std::size_t d = 0; d < kDirections; ++d) {
      const float reach = glm::dot(points[i] - box.min, along[d]);
      if (!(reach > reaches[d])) continue;
      reaches[d] = reach;
      which[d] = i;
    }
  std::vector<bool> taken(points.size(), false);
  std::vector<glm::vec3> out;
  for (const std::size_t i : which) {
    if (!taken[i]) out.push_back(points[i]);
    taken[i] = true;
  }
  return out;
}

void addCorners(const Bounds& box, std::vector<glm::vec3>& points) {
  for (int i = 0; i < 8; ++i)
    points.emplace_back((i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                        (i & 4) != 0 ? box.max.z : box.min.z);
}

} // namespace

void Outline::include(const glm::vec3& point) {
  if (points.empty() && !empty()) addCorners(*this, points);
  Bounds::include(point);
  points.push_back(point);
}

void Outline::include(const Outline& other) {
  if (other.empty()) return;
  if (points.empty() && !empty()) addCorners(*this, points);
  if (other.points.empty())
    addCorners(other, points);
  else
    points.insert(points.end(), other.points.begin(), other.points.end());
  Bounds::include(other);
  if (points.size() > 8 * kDirections) points = farthest(points, *this, 1);
}

Outline makeOutline(std::span<const glm::vec3> points) {
  Outline out;
  for (const glm::vec3& point : points)
    out.Bounds::include(point);
  if (!points.empty())
    out.points = farthest(points, out, std::max<std::size_t>(points.size() / kSample, 1));
  return out;
}

Outline moved(Outline outline, const glm::vec3& by) {
  if (outline.empty()) return outline;
  outline.min += by;
  outline.max += by;
  for (glm::vec3& point : outline.points)
    point += by;
  return outline;
}

} // namespace sinew
