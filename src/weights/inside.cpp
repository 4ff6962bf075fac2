#include "weights/inside.h"

#include "weights/closest_barycentric.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

// Two triangles whose distances differ by less share the nearest point.
constexpr float kSameDistance = 1e-4f; // of the step

// A triangle seen from a point beside it.
struct Seen {
  float distance = std::numeric_limits<float>::infinity();
  float side = 0.0f; // sine of the angle above the triangle's plane, positive outside
};

Seen see(const WeightSurface& surface, const Triangle& t, const vec3& point) {
  const vec3& a = surface.positions[t[0]];
  const vec3& b = surface.positions[t[1]];
  const vec3& c = surface.positions[t[2]];
  const vec3 corners = closestBarycentric(point, a, b, c);
  const vec3 apart = point - (corners.x * a + corners.y * b + corners.z * c);
  const float distance = glm::length(apart);
  const vec3 normal = glm::cross(b - a, c - a);
  const float both = glm::length(normal) * distance;
  return {distance, both > 0.0f ? glm::dot(normal, apart) / both : 0.0f};
}

} // namespace

SurfaceSides::SurfaceSides(const WeightSurface& surface)
    : surface_(surface), offsets_(surface.positions.size() + 1, 0) {
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t v : t)
      ++offsets_[v + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  triangles_.resize(offsets_.back());
  std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::uint32_t v : surface.triangles[t])
      triangles_[next[v]++] = t;
}

bool SurfaceSides::leadsInside(std::uint32_t welded, const vec3& to) const {
  const vec3& at = surface_.positions[welded];
  const float length = glm::length(to - at);
  if (!(length > 0.0f) || offsets_[welded] == offsets_[welded + 1]) return true;
  float step = length;
  for (std::uint32_t i = offsets_[welded]; i < offsets_[welded + 1]; ++i)
    for (const std::uint32_t v : surface_.triangles[triangles_[i]])
      if (v != welded) step = std::min(step, 0.25f * glm::length(surface_.positions[v] - at));
  const vec3 point = at + (step / length) * (to - at);
  // Where the nearest point is on an edge or at the vertex, several triangles have it: the one that
  // the point is most squarely above or below has the side.
  Seen best;
  for (std::uint32_t i = offsets_[welded]; i < offsets_[welded + 1]; ++i) {
    const Seen seen = see(surface_, surface_.triangles[triangles_[i]], point);
    const float nearer = best.distance - seen.distance;
    if (nearer > kSameDistance * step ||
        (nearer > -kSameDistance * step && std::abs(seen.side) > std::abs(best.side)))
      best = seen;
  }
  return best.side <= 0.0f;
}

} // namespace sinew
