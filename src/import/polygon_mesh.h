// A mesh as files with polygons have it: points, polygons, and what their corners have. FBX,
// DirectX and Collada meshes become this before they become triangles.
#pragma once

#include "model/mesh.h"

#include <span>
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

// A morph target's offsets for the vertices of the part that it moves. offsets: for all points.
void addMorph(std::uint32_t target, const std::vector<glm::dvec3>& offsets, MeshPart& part);

// Triangles wound the other way.
void flipTriangles(Mesh& mesh);

// Beyond this a polygon is cut as a fan, whatever its shape.
inline constexpr std::size_t kMaxEarCorners = 2000;

// Triangles between the corners of a polygon (indices into it), wound as it is: a convex one as a
// fan about its first corner, others by cutting off ears, seen along the polygon's normal (Newell).
// Fewer than three corners give none.
std::vector<Triangle> triangulatePolygon(std::span<const glm::dvec3> corners);

// One ring around a polygon and its holes, as indices into `corners`: each hole is joined to what
// is around it by an edge that the ring follows both ways. Holes may be wound either way.
struct RingWithHoles {
  std::vector<std::uint32_t> corners;
  std::size_t omitted = 0; // holes that lie outside, or all of more than kMaxEarCorners
};
// ends: where the polygon and then each hole end in `corners`.
RingWithHoles joinHoles(std::span<const glm::dvec3> corners, std::span<const std::size_t> ends);

} // namespace sinew
