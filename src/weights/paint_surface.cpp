#include "weights/paint_surface.h"

#include "weights/triangle_tree.h"

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

struct WeldKey {
  std::array<std::uint32_t, 4> bits; // x, y, z and the group
  bool operator==(const WeldKey&) const = default;
};

struct WeldHash {
  std::size_t operator()(const WeldKey& key) const {
    std::size_t hash = 0;
    for (const std::uint32_t word : key.bits)
      hash = (hash ^ word) * 0x9E3779B97F4A7C15ull + (hash >> 29);
    return hash;
  }
};

WeldKey makeKey(const vec3& p, std::uint32_t group) {
  const vec3 q = p + 0.0f; // -0 is 0
  return {{std::bit_cast<std::uint32_t>(q.x), std::bit_cast<std::uint32_t>(q.y),
           std::bit_cast<std::uint32_t>(q.z), group}};
}

// The distance of c from a source whose distances from a and b are known: both triangles are laid
// into one plane, with the source on the other side of ab. If the straight line does not cross ab,
// along an edge.
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

struct FrontVertex {
  float distance;
  std::uint32_t welded;
  bool operator>(const FrontVertex& other) const { return distance > other.distance; }
};

std::vector<Reached> alongSurface(const PaintSurface& surface, const SurfacePoint& center,
                                  float radius) {
  std::vector<float> distance(surface.positions.size(), kFar);
  std::vector<std::uint32_t> touched;
  std::priority_queue<FrontVertex, std::vector<FrontVertex>, std::greater<>> front;
  const auto offer = [&](std::uint32_t welded, float value) {
    if (!(value < radius) || !(value < distance[welded])) return;
    if (distance[welded] == kFar) touched.push_back(welded);
    distance[welded] = value;
    front.push({value, welded});
  };
  for (const std::uint32_t corner : center.corners)
    offer(corner, glm::length(surface.positions[corner] - center.position));
  while (!front.empty()) {
    const FrontVertex at = front.top();
    front.pop();
    if (at.distance > distance[at.welded]) continue; // a nearer path was found since
    const vec3& here = surface.positions[at.welded];
    for (const std::uint32_t t : surface.trianglesByVertex.of(at.welded)) {
      const Triangle& corners = surface.triangles[t];
      const std::size_t k = corners[0] == at.welded ? 0 : corners[1] == at.welded ? 1 : 2;
      const std::array<std::uint32_t, 2> others{corners[(k + 1) % 3], corners[(k + 2) % 3]};
      for (std::size_t i = 0; i < 2; ++i) {
        const std::uint32_t to = others[i];
        const std::uint32_t beside = others[1 - i];
        const vec3& there = surface.positions[to];
        const float reached =
            distance[beside] == kFar
                ? at.distance + glm::length(there - here)
                : unfolded(here, surface.positions[beside], there, at.distance, distance[beside]);
        offer(to, reached);
      }
    }
  }
  std::sort(touched.begin(), touched.end());
  std::vector<Reached> out;
  out.reserve(touched.size());
  for (const std::uint32_t welded : touched)
    out.push_back({welded, distance[welded]});
  return out;
}

} // namespace

PaintSurface makePaintSurface(std::span<const vec3> positions, std::span<const Triangle> triangles,
                              std::span<const std::uint32_t> groupOfVertex) {
  PaintSurface out;
  out.weldedOfVertex.assign(positions.size(), kNoEntry);
  std::unordered_map<WeldKey, std::uint32_t, WeldHash> welds;
  welds.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const std::uint32_t group = groupOfVertex[v];
    if (group == kNoEntry) continue;
    const auto next = static_cast<std::uint32_t>(out.positions.size());
    const auto [welded, isNew] = welds.try_emplace(makeKey(positions[v], group), next);
    out.weldedOfVertex[v] = welded->second;
    if (!isNew) continue;
    out.positions.push_back(positions[v]);
    out.groupOfWelded.push_back(group);
  }
  for (const auto& [a, b, c] : triangles) {
    const Triangle corners{out.weldedOfVertex[a], out.weldedOfVertex[b], out.weldedOfVertex[c]};
    if (std::ranges::find(corners, kNoEntry) == corners.end()) out.triangles.push_back(corners);
  }
  out.verticesByWelded = gatherLists<std::uint32_t>(out.positions.size(), [&](const auto& each) {
    for (std::uint32_t v = 0; v < out.weldedOfVertex.size(); ++v)
      if (out.weldedOfVertex[v] != kNoEntry) each(out.weldedOfVertex[v], v);
  });
  out.trianglesByVertex = gatherLists<std::uint32_t>(out.positions.size(), [&](const auto& each) {
    for (std::uint32_t t = 0; t < out.triangles.size(); ++t)
      for (const std::uint32_t welded : out.triangles[t])
        each(welded, t);
  });
  return out;
}

std::optional<SurfacePoint> surfacePoint(const PaintSurface& surface, const Triangle& vertices,
                                         const vec3& barycentric) {
  SurfacePoint out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.corners[i] = surface.weldedOfVertex[vertices[i]];
    if (out.corners[i] == kNoEntry) return std::nullopt;
    out.position += barycentric[static_cast<int>(i)] * surface.positions[out.corners[i]];
  }
  return out;
}

std::optional<SurfacePoint> nearestSurfacePoint(const PaintSurface& surface, const vec3& position,
                                                float maxDistance) {
  std::uint32_t nearest = kNoEntry;
  float least = kFar;
  for (std::uint32_t welded = 0; welded < surface.positions.size(); ++welded) {
    const vec3 apart = surface.positions[welded] - position;
    const float squared = glm::dot(apart, apart);
    if (squared >= least || surface.trianglesByVertex.of(welded).empty()) continue;
    least = squared;
    nearest = welded;
  }
  if (nearest == kNoEntry) return std::nullopt;
  // The triangles around the nearest vertex and its neighbours.
  std::optional<SurfacePoint> best;
  float distance = maxDistance;
  const auto lookAround = [&](std::uint32_t welded) {
    for (const std::uint32_t t : surface.trianglesByVertex.of(welded)) {
      const Triangle& corners = surface.triangles[t];
      const vec3 &a = surface.positions[corners[0]], &b = surface.positions[corners[1]],
                 &c = surface.positions[corners[2]];
      const vec3 barycentric = closestBarycentric(position, a, b, c);
      const vec3 at = barycentric.x * a + barycentric.y * b + barycentric.z * c;
      const float apart = glm::length(at - position);
      if (!(apart <= distance) || (best && apart == distance)) continue;
      distance = apart;
      best = SurfacePoint{corners, at};
    }
  };
  lookAround(nearest);
  for (const std::uint32_t t : surface.trianglesByVertex.of(nearest))
    for (const std::uint32_t welded : surface.triangles[t])
      if (welded != nearest) lookAround(welded);
  return best;
}

std::vector<Reached> verticesWithin(const PaintSurface& surface, const SurfacePoint& center,
                                    float radius, bool along) {
  if (along) return alongSurface(surface, center, radius);
  std::vector<Reached> out;
  for (std::uint32_t welded = 0; welded < surface.positions.size(); ++welded) {
    const float distance = glm::length(surface.positions[welded] - center.position);
    if (distance < radius) out.push_back({welded, distance});
  }
  return out;
}

} // namespace sinew
