#include "import/polygon_mesh.h"

#include "import/triangulate.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <map>
#include <utility>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dmat4;
using glm::dvec3;
using glm::dvec4;

// From corners to vertices in bind space.
void fillVertices(const PolygonMesh& source, const dmat4& bindFromMesh, MeshPart& part) {
  const bool mirrors = glm::determinant(dmat3(bindFromMesh)) < 0.0;
  const dmat3 cofactor = glm::transpose(glm::inverse(dmat3(bindFromMesh)));
  for (std::uint32_t& place : part.points) {
    const std::uint32_t corner = place;
    place = source.corners[corner];
    part.mesh.positions.emplace_back(bindFromMesh * dvec4(source.points[place], 1.0));
    if (!source.normals.empty()) {
      const dvec3 normal = cofactor * dvec3(source.normals[corner]);
      const double length = glm::length(normal);
      part.mesh.normals.push_back(length > 0.0 ? vec3(normal / length) : vec3(0.0f));
    }
    if (!source.tangents.empty()) {
      const vec4& tangent = source.tangents[corner];
      part.mesh.tangents.emplace_back(vec3(dmat3(bindFromMesh) * dvec3(vec3(tangent))),
                                      mirrors ? -tangent.w : tangent.w);
    }
    if (!source.texcoords.empty()) part.mesh.texcoords.push_back(source.texcoords[corner]);
    if (!source.texcoords1.empty()) part.mesh.texcoords1.push_back(source.texcoords1[corner]);
    if (!source.colors.empty()) part.mesh.colors.push_back(source.colors[corner]);
  }
}

} // namespace

std::vector<MeshPart> partsByMaterial(const PolygonMesh& mesh, const dmat4& bindFromMesh) {
  std::map<std::uint32_t, MeshPart> parts;
  std::vector<dvec3> corners;
  for (std::size_t i = 0; i < mesh.polygonCount(); ++i) {
    const std::uint32_t material = mesh.materials.empty() ? 0 : mesh.materials[i];
    MeshPart& part = parts[material];
    part.mesh.material = material;
    const std::uint32_t first = mesh.polygons[i];
    corners.clear();
    for (std::uint32_t c = first; c < mesh.polygons[i + 1]; ++c)
      corners.push_back(mesh.points[mesh.corners[c]]);
    const auto base = static_cast<std::uint32_t>(part.points.size());
    for (const Triangle& t : triangulatePolygon(corners))
      part.mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
    for (std::uint32_t c = first; c < mesh.polygons[i + 1]; ++c)
      part.points.push_back(c); // corners, until the vertices are filled
  }
  std::vector<MeshPart> out;
  out.reserve(parts.size());
  for (auto& [material, part] : parts) {
    fillVertices(mesh, bindFromMesh, part);
    out.push_back(std::move(part));
  }
  return out;
}

void addMorph(std::uint32_t target, const std::vector<glm::dvec3>& offsets, MeshPart& part) {
  MorphOffsets out;
  out.target = target;
  for (std::uint32_t v = 0; v < part.points.size(); ++v)
    if (const glm::dvec3& offset = offsets[part.points[v]]; offset != glm::dvec3(0.0)) {
      out.vertices.push_back(v);
      out.positions.emplace_back(offset);
    }
  if (!out.vertices.empty()) part.mesh.morphs.push_back(std::move(out));
}

void flipTriangles(Mesh& mesh) {
  for (Triangle& triangle : mesh.triangles)
    std::swap(triangle[1], triangle[2]);
}

} // namespace sinew
