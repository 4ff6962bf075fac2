#include "metrics/stretch.h"

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

} // namespace sinew
