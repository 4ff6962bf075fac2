#include "weights/paint_surface.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <unordered_map>

namespace sinew {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

struct PlaceKey {
  std::array<std::uint32_t, 4> bits; // x, y, z and the group
  bool operator==(const PlaceKey&) const = default;
};

struct PlaceHash {
  std::size_t operator()(const PlaceKey& key) const {
    std::size_t hash = 0;
    for (const std::uint32_t word : key.bits)
      hash = (hash ^ word) * 0x9E3779B97F4A7C15ull + (hash >> 29);
    return hash;
  }
};

PlaceKey keyOf(const vec3& p, std::uint32_t group) {
  const vec3 q = p + 0.0f; // -0 is 0
  return {{std::bit_cast<std::uint32_t>(q.x), std::bit_cast<std::uint32_t>(q.y),
           std::bit_cast<std::uint32_t>(q.z), group}};
}

// `each(place, value)` for everything that is to be listed, called twice in the same order.
template <class Walk>
PlaceLists listed(std::size_t places, const Walk& walk) {
  PlaceLists out;
  out.offsets.assign(places + 1, 0);
  walk([&](std::uint32_t place, std::uint32_t) { ++out.offsets[place + 1]; });
  for (std::size_t p = 0; p < places; ++p)
    out.offsets[p + 1] += out.offsets[p];
  out.values.resize(out.offsets.back());
  std::vector<std::uint32_t> next(out.offsets.begin(), out.offsets.end() - 1);
  walk([&](std::uint32_t place, std::uint32_t value) { out.values[next[place]++] = value; });
  return out;
}

// Barycentric coordinates of the point of the triangle nearest to p (Ericson 2005, section 5.1.5).
vec3 nearestShares(const vec3& p, const vec3& a, const vec3& b, const vec3& c) {
  const vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
  if (d1 <= 0.0f && d2 <= 0.0f) return {1, 0, 0};
  const float d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
  if (d3 >= 0.0f && d4 <= d3) return {0, 1, 0};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const float d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d6 >= 0.0f && d5 <= d6) return {0, 0, 1};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f) {
    const float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const float sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

// How far c is from a source whose distances from a and b are known: the three triangles are laid
// into one plane, with the source on the other side of ab. Where the straight way does not cross
// ab, along an edge.
float unfolded(const vec3& a, const vec3& b, const vec3& c, float fromA, float fromB) {
  const float edges = std::min(fromA + glm::length(c - a), fromB + glm::length(c - b));
  const float length = glm::length(b - a);
  if (!(length > 0.0f)) return edges;
  const float sourceX = (length * length + fromA * fromA - fromB * fromB) / (2.0f * length);
  const float below = fromA * fromA - sourceX * sourceX;
  if (below < 0.0f) return edges; // rounding, or distances that do not fit
  const float sourceY = std::sqrt(below);
  const float x = glm::dot(c - a, b - a) / length;
  const float y = std::sqrt(std::max(glm::dot(c - a, c - a) - x * x, 0.0f));
  if (!(sourceY + y > 0.0f)) return edges;
  const float crossing = sourceX + (x - sourceX) * sourceY / (sourceY + y);
  if (crossing < 0.0f || crossing > length) return edges;
  return std::min(edges, std::hypot(x - sourceX, y + sourceY));
}

struct Front {
  float distance;
  std::uint32_t place;
  bool operator>(const Front& other) const { return distance > other.distance; }
};

std::vector<Reached> alongSurface(const PaintSurface& surface, const SurfacePoint& center,
                                  float radius) {
  std::vector<float> distance(surface.positions.size(), kFar);
  std::vector<std::uint32_t> touched;
  std::priority_queue<Front, std::vector<Front>, std::greater<>> front;
  const auto offer = [&](std::uint32_t place, float value) {
    if (!(value < radius) || !(value < distance[place])) return;
    if (distance[place] == kFar) touched.push_back(place);
    distance[place] = value;
    front.push({value, place});
  };
  for (const std::uint32_t corner : center.corners)
    offer(corner, glm::length(surface.positions[corner] - center.position));
  while (!front.empty()) {
    const Front at = front.top();
    front.pop();
    if (at.distance > distance[at.place]) continue; // it was found nearer since
    const vec3& here = surface.positions[at.place];
    for (const std::uint32_t t : surface.trianglesOf.of(at.place)) {
      const Triangle& corners = surface.triangles[t];
      const std::size_t k = corners[0] == at.place ? 0 : corners[1] == at.place ? 1 : 2;
      const std::array<std::uint32_t, 2> others{corners[(k + 1) % 3], corners[(k + 2) % 3]};
      for (std::size_t i = 0; i < 2; ++i) {
        const std::uint32_t to = others[i];
        const std::uint32_t beside = others[1 - i];
        const vec3& place = surface.positions[to];
        const float reached =
            distance[beside] == kFar
                ? at.distance + glm::length(place - here)
                : unfolded(here, surface.positions[beside], place, at.distance, distance[beside]);
        offer(to, reached);
      }
    }
  }
  std::sort(touched.begin(), touched.end());
  std::vector<Reached> out;
  for (const std::uint32_t place : touched)
    out.push_back({place, distance[place]});
  return out;
}

} // namespace

PaintSurface makePaintSurface(std::span<const vec3> positions, std::span<const Triangle> triangles,
                              std::span<const std::uint32_t> groupOfVertex) {
  PaintSurface out;
  out.placeOfVertex.assign(positions.size(), kNoItem);
  std::unordered_map<PlaceKey, std::uint32_t, PlaceHash> places;
  places.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const std::uint32_t group = groupOfVertex[v];
    if (group == kNoItem) continue;
    const auto next = static_cast<std::uint32_t>(out.positions.size());
    const auto [place, isNew] = places.try_emplace(keyOf(positions[v], group), next);
    out.placeOfVertex[v] = place->second;
    if (!isNew) continue;
    out.positions.push_back(positions[v]);
    out.groupOfPlace.push_back(group);
  }
  for (const auto& [a, b, c] : triangles) {
    const Triangle corners{out.placeOfVertex[a], out.placeOfVertex[b], out.placeOfVertex[c]};
    if (std::ranges::find(corners, kNoItem) == corners.end()) out.triangles.push_back(corners);
  }
  out.verticesOf = listed(out.positions.size(), [&](const auto& each) {
    for (std::uint32_t v = 0; v < out.placeOfVertex.size(); ++v)
      if (out.placeOfVertex[v] != kNoItem) each(out.placeOfVertex[v], v);
  });
  out.trianglesOf = listed(out.positions.size(), [&](const auto& each) {
    for (std::uint32_t t = 0; t < out.triangles.size(); ++t)
      for (const std::uint32_t place : out.triangles[t])
        each(place, t);
  });
  return out;
}

std::optional<SurfacePoint> surfacePoint(const PaintSurface& surface, const Triangle& vertices,
                                         const vec3& shares) {
  SurfacePoint out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.corners[i] = surface.placeOfVertex[vertices[i]];
    if (out.corners[i] == kNoItem) return std::nullopt;
    out.position += shares[static_cast<int>(i)] * surface.positions[out.corners[i]];
  }
  return out;
}

std::optional<SurfacePoint> nearestSurfacePoint(const PaintSurface& surface, const vec3& position,
                                                float most) {
  std::uint32_t nearest = kNoItem;
  float least = kFar;
  for (std::uint32_t place = 0; place < surface.positions.size(); ++place) {
    const vec3 apart = surface.positions[place] - position;
    const float squared = glm::dot(apart, apart);
    if (squared >= least || surface.trianglesOf.of(place).empty()) continue;
    least = squared;
    nearest = place;
  }
  if (nearest == kNoItem) return std::nullopt;
  // The triangles about the nearest place and about its neighbours.
  std::optional<SurfacePoint> best;
  float distance = most;
  const auto lookAround = [&](std::uint32_t place) {
    for (const std::uint32_t t : surface.trianglesOf.of(place)) {
      const Triangle& corners = surface.triangles[t];
      const vec3 &a = surface.positions[corners[0]], &b = surface.positions[corners[1]],
                 &c = surface.positions[corners[2]];
      const vec3 shares = nearestShares(position, a, b, c);
      const vec3 at = shares.x * a + shares.y * b + shares.z * c;
      const float apart = glm::length(at - position);
      if (!(apart <= distance) || (best && apart == distance)) continue;
      distance = apart;
      best = SurfacePoint{corners, at};
    }
  };
  lookAround(nearest);
  for (const std::uint32_t t : surface.trianglesOf.of(nearest))
    for (const std::uint32_t place : surface.triangles[t])
      if (place != nearest) lookAround(place);
  return best;
}

std::vector<Reached> placesWithin(const PaintSurface& surface, const SurfacePoint& center,
                                  float radius, bool along) {
  if (along) return alongSurface(surface, center, radius);
  std::vector<Reached> out;
  for (std::uint32_t place = 0; place < surface.positions.size(); ++place) {
    const float distance = glm::length(surface.positions[place] - center.position);
    if (distance < radius) out.push_back({place, distance});
  }
  return out;
}

} // namespace sinew
