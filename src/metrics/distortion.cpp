#include "metrics/distortion.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {

std::vector<WeldedEdge> listEdges(std::span<const Triangle> triangles,
                                  std::span<const std::uint32_t> listed,
                                  std::span<const std::uint32_t> welded) {
  std::vector<WeldedEdge> edges;
  for (const std::uint32_t index : listed)
    for (std::size_t i = 0; i < 3; ++i)
      edges.push_back(weldedEdge(welded, triangles[index][i], triangles[index][(i + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [](const WeldedEdge& edge) { return edge.first == edge.second; });
  return edges;
}

Stretch measureStretch(std::span<const WeldedEdge> edges, std::span<const vec3> rest,
                       std::span<const vec3> posed) {
  double largest = 0.0, sum = 0.0;
  std::size_t count = 0;
  for (const auto& [a, b] : edges) {
    const double before = glm::length(glm::dvec3(rest[a]) - glm::dvec3(rest[b]));
    if (before <= 0.0) continue;
    const double ratio = glm::length(glm::dvec3(posed[a]) - glm::dvec3(posed[b])) / before;
    largest = std::max(largest, ratio);
    sum += ratio;
    ++count;
  }
  if (count == 0) return {};
  return {static_cast<float>(largest), static_cast<float>(sum / static_cast<double>(count))};
}

namespace {

glm::dvec3 computeNormal(const Triangle& t, std::span<const vec3> positions) {
  const glm::dvec3 a(positions[t[0]]);
  return glm::cross(glm::dvec3(positions[t[1]]) - a, glm::dvec3(positions[t[2]]) - a);
}

} // namespace

float flippedFraction(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                      std::span<const vec3> reference, std::span<const vec3> posed) {
  if (listed.empty()) return 0.0f;
  std::size_t count = 0;
  for (const std::uint32_t index : listed) {
    const Triangle& t = triangles[index];
    if (glm::dot(computeNormal(t, reference), computeNormal(t, posed)) < 0.0) ++count;
  }
  return static_cast<float>(count) / static_cast<float>(listed.size());
}

} // namespace sinew
