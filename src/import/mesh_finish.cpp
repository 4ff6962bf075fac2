#include "import/mesh_finish.h"

#include "import/normals.h"
#include "import/usable.h"
#include "import/weld.h"
#include "model/tangents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
// triangles know better: see fractionBehind().
void repairDisagreeingNormals(Mesh& mesh, RepairLog& repairs) {
  constexpr double kDisagreeing = 0.05;
  const double behind = fractionBehind(mesh);
  if (behind > 1.0 - kDisagreeing) {
    for (Triangle& triangle : mesh.triangles)
      std::swap(triangle[1], triangle[2]);
    repairs.add(Repair::windingInverted);
  } else if (behind > kDisagreeing) {
    makeNormals(mesh, kCreaseCosine);
    repairs.add(Repair::normalsDisagree);
  }
}

} // namespace

void finishMesh(Mesh& mesh, RepairLog& repairs) {
  if (!allFinite(mesh.colors)) mesh.colors.clear();
  normalizeTangents(mesh);
  const bool missing = mesh.normals.empty();
  if (missing)
    makeNormals(mesh, kCreaseCosine);
  else
    repairDisagreeingNormals(mesh, repairs);
  weldVertices(mesh);
  if (missing) repairs.add(Repair::normalBad, mesh.normals.size());
  // Corners that only share their position may separate when the mesh is posed; corners that are
  // one vertex never do.
  repairs.add(Repair::faceDegenerate, std::erase_if(mesh.triangles, [](const Triangle& t) {
                return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
              }));
  repairs.add(Repair::normalBad, repairNormals(mesh));
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
