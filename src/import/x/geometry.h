// A mesh of a .x file: polygons, and what their corners have; its materials and its bones.
#pragma once

#include "core/transform.h"
#include "import/polygon_mesh.h"
#include "import/repairs.h"
#include "import/skin_reader.h"
#include "import/x/document.h"

#include <string>
#include <vector>

namespace sinew {

struct XMesh {
  PolygonMesh polygons;                 // right-handed, and wound so; materials: those below
  std::vector<std::uint32_t> materials; // objects
  std::vector<NamedBone> bones;
};

// What the readers of meshes tell besides.
struct XMeshReport {
  RepairLog& repairs;
  std::vector<std::string>& warnings; // lists that do not fit the mesh
  UnusedCounts& unused;
};

// Polygons with points that do not exist are dropped. Throws XError where the mesh has fewer
// numbers than it says.
XMesh readXMesh(const XDocument& document, std::uint32_t mesh, XMeshReport report);

// What a mesh of a .x file has of its vertices in the form of vertex buffers: DeclData (a vertex
// declaration of Direct3D 9) and FVFData (a flexible vertex format).
// One value per vertex each, or empty. As the file has them: left-handed, colours as painted.
struct XDeclaredVertices {
  std::vector<vec3> normals;
  std::vector<vec2> texcoords; // the first set
  std::vector<vec4> colors;    // the first set
  // What else there is: "tangents", "binormals", "further set of texture coordinates"...
  std::vector<std::string> unused;
  bool fits = true; // false: it has another number of vertices, and nothing of it is read
};

// Throws XError where the object has fewer numbers than it says, or a type that does not exist.
XDeclaredVertices readDeclData(const XObject& object, std::size_t vertices);
XDeclaredVertices readFvfData(const XObject& object, std::size_t vertices);

} // namespace sinew
