// A mesh as files with polygons have it: points, polygons, and what their corners have. FBX,
// DirectX and Collada meshes become this before they become triangles.
#pragma once

#include "model/mesh.h"

#include <vector>

namespace sinew {

struct PolygonMesh {
  std::vector<glm::dvec3> points;
  std::vector<std::uint32_t> corners;     // points of all polygons, one after another
  std::vector<std::uint32_t> polygons{0}; // where each begins, and where the last one ends
  // Per corner, or empty.
  std::vector<vec3> normals;
  std::vector<vec4> tangents;           // as Mesh::tangents, not unit
  std::vector<vec2> texcoords;          // (0, 0) is the image's upper left
  std::vector<vec2> texcoords1;         // likewise
  std::vector<vec4> colors;             // linear
  std::vector<std::uint32_t> materials; // per polygon: which of the mesh's; or empty

  std::size_t polygonCount() const { return polygons.size() - 1; }
};

// A mesh of one material on its way into the model, with the point of each vertex.
struct MeshPart {
  Mesh mesh; // material: which of the mesh's
  std::vector<std::uint32_t> points;
};

// One part for each material, with the triangles of its polygons; vertices are transformed into
// bind space, which must be possible both ways. A mirror does not turn triangles round here.
std::vector<MeshPart> partsByMaterial(const PolygonMesh& mesh, const glm::dmat4& bindFromMesh);

// A morph target's offsets for those vertices of the part that it moves. offsets: of all points.
void addMorph(std::uint32_t target, const std::vector<glm::dvec3>& offsets, MeshPart& part);

// Triangles wound the other way.
void flipTriangles(Mesh& mesh);

} // namespace sinew
