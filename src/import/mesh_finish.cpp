#include "import/mesh_finish.h"

#include "import/polygon_mesh.h"
#include "import/repairs.h"
#include "model/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace sinew {
namespace {

// Edges sharper than this stay edges where the file has no normals: a box is not a ball.
constexpr float kCreaseCosine = 0.17f; // 80 degrees

bool allFinite(const std::vector<vec4>& colors) {
  return std::all_of(colors.begin(), colors.end(), [](const vec4& c) {
    return std::isfinite(c.x) && std::isfinite(c.y) && std::isfinite(c.z) && std::isfinite(c.w);
  });
}

// Some exporters write the normals of another pose, or of the mesh before it was mirrored. The
// triangles know better: see fractionBehind(). Turns triangles round where nearly all disagree, and
// returns whether normals have to be made.
bool normalsDisagree(Mesh& mesh, RepairLog& repairs) {
  constexpr double kDisagreeing = 0.05;
  const double behind = fractionBehind(mesh);
  if (behind > 1.0 - kDisagreeing) {
    flipTriangles(mesh);
    repairs.add(Repair::windingInverted);
  } else if (behind > kDisagreeing) {
    repairs.add(Repair::normalsDisagree);
    return true;
  }
  return false;
}

// With its smallest corner first: triangles that wind alike between the same corners are equal.
Triangle turned(const Triangle& t) {
  if (t[1] < t[0] && t[1] < t[2]) return {t[1], t[2], t[0]};
  if (t[2] < t[0] && t[2] < t[1]) return {t[2], t[0], t[1]};
  return t;
}

// All but the first of equal triangles: they cover one another, and any number of them around one
// vertex makes what follows quadratic. Returns how many.
std::size_t dropRepeatedTriangles(std::vector<Triangle>& triangles) {
  constexpr std::uint32_t kFree = ~0u;
  std::vector<std::uint32_t> table(std::bit_ceil(2 * triangles.size() + 1), kFree);
  const std::size_t mask = table.size() - 1;
  const auto isNew = [&](std::size_t index, const Triangle& t) {
    std::uint64_t hash = 0;
    for (const std::uint32_t corner : t)
      hash = (hash ^ corner) * 0x9e3779b97f4a7c15ull;
    for (std::size_t at = (hash ^ hash >> 32) & mask;; at = (at + 1) & mask) {
      if (table[at] == kFree) {
        table[at] = static_cast<std::uint32_t>(index);
        return true;
      }
      if (turned(triangles[table[at]]) == t) return false;
    }
  };
  std::size_t newLength = 0;
  for (const Triangle& triangle : triangles)
    if (isNew(newLength, turned(triangle))) triangles[newLength++] = triangle;
  const std::size_t dropped = triangles.size() - newLength;
  triangles.resize(newLength);
  return dropped;
}

// What each of `vertices` vertices has become whose corners were separated: its first corner's.
std::vector<std::uint32_t> atFirstCorners(std::span<const std::uint32_t> ofCorners,
                                          std::span<const Triangle> triangles,
                                          std::size_t vertices) {
  std::vector<std::uint32_t> out(vertices, kDroppedVertex);
  for (std::size_t t = triangles.size(); t-- > 0;)
    for (std::size_t k = 3; k-- > 0;)
      out[triangles[t][k]] = ofCorners[3 * t + k];
  return out;
}

} // namespace

std::vector<std::uint32_t> finishMesh(Mesh& mesh, RepairLog& repairs) {
  if (!allFinite(mesh.colors)) mesh.colors.clear();
  normalizeTangents(mesh);
  const bool missing = mesh.normals.empty();
  const bool separated = missing || normalsDisagree(mesh, repairs);
  const std::size_t vertices = mesh.positions.size();
  std::vector<Triangle> corners; // before they are separated
  if (separated) {
    corners = mesh.triangles;
    makeNormals(mesh, kCreaseCosine);
  }
  std::vector<std::uint32_t> out = weldVertices(mesh);
  if (separated) out = atFirstCorners(out, corners, vertices);
  if (missing) repairs.add(Repair::normalBad, mesh.normals.size());
  // Corners that only share their position may separate when the mesh is posed; corners that are
  // one vertex never do.
  const std::size_t degenerate = std::erase_if(mesh.triangles, [](const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  });
  repairs.add(Repair::faceDegenerate, degenerate);
  if (degenerate > 0) { // vertices of these alone are of no triangle now
    const std::vector<std::uint32_t> again = weldVertices(mesh);
    for (std::uint32_t& v : out)
      if (v != kDroppedVertex) v = again[v];
  }
  repairs.add(Repair::faceRepeated, dropRepeatedTriangles(mesh.triangles));
  repairs.add(Repair::normalBad, repairNormals(mesh));
  return out;
}

void dropBrokenTriangles(Mesh& mesh, RepairLog& repairs) {
  const auto notUsable = std::count_if(mesh.positions.begin(), mesh.positions.end(),
                                       [](const vec3& p) { return !isUsable(p); });
  repairs.add(Repair::vertexNotFinite, static_cast<std::size_t>(notUsable));
  const std::size_t count = mesh.positions.size();
  repairs.add(Repair::faceIndex, std::erase_if(mesh.triangles, [&](const Triangle& t) {
                return t[0] >= count || t[1] >= count || t[2] >= count;
              }));
  if (notUsable == 0) return;
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return !isUsable(mesh.positions[t[0]]) || !isUsable(mesh.positions[t[1]]) ||
           !isUsable(mesh.positions[t[2]]);
  });
}

void appendMesh(Mesh mesh, Model& model) {
  if (mesh.triangles.empty())
    model.warnings.push_back(
        fmt::format("mesh '{}' has no triangle with an area: left out", mesh.name));
  else
    model.meshes.push_back(std::move(mesh));
}

} // namespace sinew
