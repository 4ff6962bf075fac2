#include "import/normals.h"

#include "import/position_hash.h"
#include "model/morph_offsets.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sinew {
namespace {

// Triangles around one place beyond which creases are no longer looked for: comparing all pairs
// would be quadratic in what a hostile file can repeat without end.
constexpr std::size_t kMaxAround = 64;

template <class T>
void unshare(std::vector<T>& values, const std::vector<Triangle>& triangles) {
  if (values.empty()) return;
  std::vector<T> out;
  out.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles)
    for (const std::uint32_t v : triangle)
      out.push_back(values[v]);
  values = std::move(out);
}

void unshare(Influences& influences, const std::vector<Triangle>& triangles) {
  if (influences.vertexCount() == 0) return;
  Influences out;
  for (const Triangle& triangle : triangles)
    for (const std::uint32_t v : triangle)
      out.append(influences.of(v));
  influences = std::move(out);
}

void unshareCorners(Mesh& mesh) {
  std::vector<std::uint32_t> sources;
  for (const Triangle& triangle : mesh.triangles)
    sources.insert(sources.end(), triangle.begin(), triangle.end());
  keepVertices(mesh.morphs, sources, mesh.positions.size());
  unshare(mesh.positions, mesh.triangles);
  unshare(mesh.tangents, mesh.triangles);
  unshare(mesh.texcoords, mesh.triangles);
  unshare(mesh.colors, mesh.triangles);
  unshare(mesh.influences, mesh.triangles);
  unshare(mesh.splineInfluences, mesh.triangles);
  std::uint32_t corner = 0;
  for (Triangle& triangle : mesh.triangles) {
    triangle = {corner, corner + 1, corner + 2};
    corner += 3;
  }
}

vec3 unitOr(const vec3& v, const vec3& otherwise) {
  const float length = glm::length(v);
  return length > 0.0f && std::isfinite(length) ? v / length : otherwise;
}

} // namespace

void makeNormals(Mesh& mesh, float creaseCosine) {
  for (MorphOffsets& morph : mesh.morphs)
    morph.normals.clear(); // they belong to the normals that are replaced
  unshareCorners(mesh);
  const std::size_t count = mesh.triangles.size();
  std::vector<vec3> face(count); // as long as twice the area
  std::vector<vec3> direction(count);
  std::unordered_map<vec3, std::vector<std::uint32_t>, PositionHash> facesAt;
  for (std::uint32_t f = 0; f < count; ++f) {
    const std::size_t first = std::size_t{3} * f;
    const vec3& a = mesh.positions[first];
    face[f] = glm::cross(mesh.positions[first + 1] - a, mesh.positions[first + 2] - a);
    direction[f] = unitOr(face[f], vec3(0.0f));
    for (std::uint32_t corner = 0; corner < 3; ++corner)
      facesAt[mesh.positions[3 * f + corner]].push_back(f);
  }
  mesh.normals.assign(3 * count, vec3(0.0f));
  for (std::uint32_t corner = 0; corner < 3 * count; ++corner) {
    const std::vector<std::uint32_t>& around = facesAt[mesh.positions[corner]];
    const vec3 own = direction[corner / 3];
    vec3 sum(0.0f);
    if (around.size() > kMaxAround)
      sum = face[corner / 3];
    else
      for (const std::uint32_t f : around)
        if (own == vec3(0.0f) || glm::dot(direction[f], own) >= creaseCosine) sum += face[f];
    mesh.normals[corner] = unitOr(sum, vec3(0, 1, 0));
  }
}

std::size_t repairNormals(Mesh& mesh) {
  std::vector<vec3> computed;
  std::size_t repaired = 0;
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    const float length = glm::length(mesh.normals[v]);
    if (length > 1e-6f && std::isfinite(length)) {
      mesh.normals[v] /= length;
      continue;
    }
    if (computed.empty()) computed = computeNormals(mesh.positions, mesh.triangles);
    mesh.normals[v] = computed[v];
    ++repaired;
  }
  return repaired;
}

double fractionBehind(const Mesh& mesh) {
  std::size_t behind = 0;
  std::size_t corners = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const vec3 face =
        glm::cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
    if (face == vec3(0.0f)) continue;
    for (const std::uint32_t v : {a, b, c}) {
      ++corners;
      if (glm::dot(mesh.normals[v], face) < 0.0f) ++behind;
    }
  }
  return corners > 0 ? static_cast<double>(behind) / static_cast<double>(corners) : 0.0;
}

} // namespace sinew
