#include "metrics/flips.h"

#include <glm/geometric.hpp>

namespace sinew {
namespace {

glm::dvec3 computeNormal(const Triangle& t, std::span<const vec3> positions) {
  const glm::dvec3 a(positions[t[0]]);
  return glm::cross(glm::dvec3(positions[t[1]]) - a, glm::dvec3(positions[t[2]]) - a);
}

} // namespace

std::size_t countFlips(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                       std::span<const vec3> reference, std::span<const vec3> posed) {
  std::size_t count = 0;
  for (const std::uint32_t index : listed) {
    const Triangle& t = triangles[index];
    if (glm::dot(computeNormal(t, reference), computeNormal(t, posed)) < 0.0) ++count;
  }
  return count;
}

float flippedFraction(std::span<const Triangle> triangles, std::span<const std::uint32_t> listed,
                      std::span<const vec3> reference, std::span<const vec3> posed) {
  if (listed.empty()) return 0.0f;
  return static_cast<float>(countFlips(triangles, listed, reference, posed)) /
         static_cast<float>(listed.size());
}

} // namespace sinew
