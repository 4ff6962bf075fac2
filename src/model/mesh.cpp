#include "model/mesh.h"

#include "core/directions.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

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

namespace {

using glm::dvec2;
using glm::dvec3;

// Sums over a vertex's triangles: those that show the image plain, and those that mirror it.
struct Sides {
  std::array<dvec3, 2> sums{dvec3(0.0), dvec3(0.0)};
  std::array<double, 2> angles{0.0, 0.0};
};

void addTriangle(const Mesh& mesh, const Triangle& t, std::vector<Sides>& sides) {
  const auto place = [&](std::size_t i) { return dvec3(mesh.positions[t[i]]); };
  const auto image = [&](std::size_t i) { return dvec2(mesh.texcoords[t[i]]); };
  const dvec3 e1 = place(1) - place(0);
  const dvec3 e2 = place(2) - place(0);
  const dvec2 d1 = image(1) - image(0);
  const dvec2 d2 = image(2) - image(0);
  const double determinant = d1.x * d2.y - d2.x * d1.y;
  if (determinant == 0.0 || !std::isfinite(determinant)) return;
  const double sign = determinant < 0.0 ? -1.0 : 1.0;
  const dvec3 along = sign * (d2.y * e1 - d1.y * e2); // the way in which u grows
  const dvec3 down = sign * (d1.x * e2 - d2.x * e1);  // the way in which v grows
  for (std::size_t i = 0; i < 3; ++i) {
    const dvec3 normal(mesh.normals[t[i]]);
    const dvec3 across = along - glm::dot(normal, along) * normal;
    const double length = glm::length(across);
    if (!(length > 0.0)) continue;
    const double angle = angleBetween(place((i + 1) % 3) - place(i), place((i + 2) % 3) - place(i));
    const std::size_t side = glm::dot(glm::cross(normal, along), down) > 0.0 ? 1 : 0;
    sides[t[i]].sums[side] += angle / length * across;
    sides[t[i]].angles[side] += angle;
  }
}

} // namespace

std::vector<vec4> computeTangents(const Mesh& mesh) {
  std::vector<Sides> sides(mesh.positions.size());
  if (mesh.texcoords.size() == mesh.positions.size())
    for (const Triangle& triangle : mesh.triangles)
      addTriangle(mesh, triangle, sides);
  std::vector<vec4> out;
  out.reserve(sides.size());
  for (std::size_t v = 0; v < sides.size(); ++v) {
    const std::size_t side = sides[v].angles[1] > sides[v].angles[0] ? 1 : 0;
    const dvec3& sum = sides[v].sums[side];
    const double length = glm::length(sum);
    const vec3 tangent = length > 1e-9 && std::isfinite(length) ? vec3(sum / length)
                                                                : perpendicular(mesh.normals[v]);
    out.emplace_back(tangent, side == 1 ? -1.0f : 1.0f);
  }
  return out;
}

void transformTangents(const mat3& linear, Mesh& mesh) {
  const float side = glm::determinant(glm::dmat3(linear)) < 0.0 ? -1.0f : 1.0f;
  for (vec4& tangent : mesh.tangents)
    tangent = vec4(linear * vec3(tangent), side * tangent.w);
}

void normalizeTangents(Mesh& mesh) {
  for (vec4& tangent : mesh.tangents) {
    const float length = glm::length(vec3(tangent));
    const bool usable = std::isfinite(length) && length > 0.0f && std::isfinite(tangent.w);
    tangent = usable ? vec4(vec3(tangent) / length, tangent.w < 0.0f ? -1.0f : 1.0f)
                     : vec4(0.0f, 0.0f, 0.0f, 1.0f);
  }
}

} // namespace sinew
