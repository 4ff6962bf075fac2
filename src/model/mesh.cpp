#include "model/mesh.h"

#include <glm/geometric.hpp>

namespace sinew {

float getWeight(std::span<const Influence> influences, std::uint32_t joint) {
  for (const Influence& influence : influences)
    if (influence.joint == joint) return influence.weight;
  return 0.0f;
}

std::vector<float> gatherWeights(const Influences& influences, std::uint32_t joint) {
  std::vector<float> weights(influences.vertexCount());
  for (std::size_t v = 0; v < weights.size(); ++v)
    weights[v] = getWeight(influences.of(v), joint);
  return weights;
}

Bounds computeBounds(std::span<const vec3> positions) {
  Bounds bounds;
  for (const vec3& p : positions)
    bounds.include(p);
  return bounds;
}

std::vector<vec3> computeNormals(std::span<const vec3> positions,
                                 std::span<const Triangle> triangles) {
  std::vector<vec3> normals(positions.size(), vec3(0.0f));
  for (const auto& [a, b, c] : triangles) {
    // The cross product's length is twice the area, so summing it weighs by area.
    const vec3 normal = glm::cross(positions[b] - positions[a], positions[c] - positions[a]);
    normals[a] += normal;
    normals[b] += normal;
    normals[c] += normal;
  }
  for (vec3& normal : normals) {
    const float length = glm::length(normal);
    normal = length > 0.0f ? normal / length : vec3(0, 1, 0);
  }
  return normals;
}

} // namespace sinew
