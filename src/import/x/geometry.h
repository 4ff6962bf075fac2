// A mesh of a .x file: polygons, and what their corners have; its materials and its bones.
#pragma once

#include "import/polygon_mesh.h"
#include "import/skin_reader.h"
#include "import/unused_counts.h"
#include "import/x/document.h"

namespace sinew {

struct XMesh {
  PolygonMesh polygons;                 // right-handed, and wound so; materials: of those below
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

} // namespace sinew
