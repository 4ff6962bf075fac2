#include "metrics/curvature.h"

#include "core/directions.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace sinew {
namespace {} // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>>
neighbourTriangles(std::span<const Triangle> triangles, std::span<const std::uint32_t> welded) {
  std::vector<std::pair<WeldedEdge, std::uint32_t>> sides;
  for (std::uint32_t i = 0; i < triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const WeldedEdge edge = weldedEdge(welded, triangles[i][k], triangles[i][(k + 1) % 3]);
      if (edge.first != edge.second) sides.emplace_back(edge, i);
    }
  std::sort(sides.begin(), sides.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t k = i + 1; k < sides.size() && sides[k].first == sides[i].first; ++k)
      if (sides[i].second != sides[k].second) pairs.emplace_back(sides[i].second, sides[k].second);
  return pairs;
}

std::vector<float>
neighbourAngles(std::span<const vec3> positions, std::span<const Triangle> triangles,
                std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours) {
  std::vector<glm::dvec3> normals;
  normals.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles) {
    const glm::dvec3 origin(positions[a]);
    normals.push_back(
        glm::cross(glm::dvec3(positions[b]) - origin, glm::dvec3(positions[c]) - origin));
  }
  const glm::dvec3 none(0.0);
  std::vector<float> angles;
  angles.reserve(neighbours.size());
  for (const auto& [a, b] : neighbours)
    angles.push_back(normals[a] == none || normals[b] == none
                         ? 0.0f
                         : static_cast<float>(angleBetween(normals[a], normals[b])));
  return angles;
}

std::vector<float>
triangleCurvatures(std::span<const vec3> positions, std::span<const Triangle> triangles,
                   std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours) {
  const std::vector<float> angles = neighbourAngles(positions, triangles, neighbours);
  std::vector<float> curvatures(triangles.size(), 0.0f);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const auto& [a, b] = neighbours[i];
    curvatures[a] = std::max(curvatures[a], angles[i]);
    curvatures[b] = std::max(curvatures[b], angles[i]);
  }
  return curvatures;
}

std::vector<std::uint32_t>
bentTriangles(std::span<const vec3> bind, std::span<const vec3> posed,
              std::span<const Triangle> triangles,
              std::span<const std::pair<std::uint32_t, std::uint32_t>> neighbours, float angle) {
  const std::vector<float> before = neighbourAngles(bind, triangles, neighbours);
  const std::vector<float> now = neighbourAngles(posed, triangles, neighbours);
  std::set<std::uint32_t> bent;
  for (std::size_t i = 0; i < neighbours.size(); ++i)
    if (now[i] - before[i] > angle) {
      bent.insert(neighbours[i].first);
      bent.insert(neighbours[i].second);
    }
  return {bent.begin(), bent.end()};
}

float findLargest(std::span<const float> values, std::span<const std::uint32_t> listed) {
  float largest = 0.0f;
  for (const std::uint32_t index : listed)
    largest = std::max(largest, values[index]);
  return largest;
}

} // namespace sinew
