// What the tests of made surfaces measure. Header only: used by tests alone.
#pragma once

#include "model/mesh.h"

#include <glm/geometric.hpp>

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace sinew {
namespace test {
inline bool near(const vec3& a, const vec3& b, float tolerance = 1e-5f) {
  return glm::distance(a, b) <= tolerance;
}
} // namespace test

// The triangles with vertices at exactly the same place made one.
inline std::vector<Triangle> weld(std::span<const vec3> positions,
                                  std::span<const Triangle> triangles) {
  std::map<std::array<float, 3>, std::uint32_t> first;
  std::vector<std::uint32_t> vertexByFileVertex;
  for (std::uint32_t v = 0; v < positions.size(); ++v)
    vertexByFileVertex.push_back(
        first.emplace(std::array{positions[v].x, positions[v].y, positions[v].z}, v).first->second);
  std::vector<Triangle> welded;
  for (const auto& [a, b, c] : triangles)
    welded.push_back({vertexByFileVertex[a], vertexByFileVertex[b], vertexByFileVertex[c]});
  return welded;
}

// Every directed edge once, and its opposite once.
inline bool isClosedManifold(std::span<const Triangle> triangles) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i)
      if (++edges[{t[i], t[(i + 1) % 3]}] > 1) return false;
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first})) return false;
  return !edges.empty();
}

// The volume of a closed surface; positive where its triangles face outward.
inline double computeVolume(std::span<const vec3> positions, std::span<const Triangle> triangles) {
  double volume = 0.0;
  for (const auto& [a, b, c] : triangles)
    volume +=
        static_cast<double>(glm::dot(positions[a], glm::cross(positions[b], positions[c]))) / 6.0;
  return volume;
}

} // namespace sinew
