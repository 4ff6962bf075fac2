// One primitive of a glTF mesh: vertices, triangles and what the file says of each vertex's joints.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/repairs.h"
#include "model/model.h"

#include <vector>

namespace sinew {

struct GltfPrimitive {
  Mesh mesh; // without name, node, skin and influences; no triangles: points or lines
  // Joints are indices into the skin's list; empty for a primitive without joints. Zero weights are
  // left out.
  Influences influences;
  Influences splineInfluences; // likewise, for free splines
};

// How many vertices it has, without reading them.
std::size_t countVertices(const GltfDocument& document, const GltfJson& primitive);

// The targets of Mesh::morphs count from 0: the primitive's own. Indices may name vertices that do
// not exist (dropBrokenTriangles()). Throws GltfError.
GltfPrimitive readGltfPrimitive(GltfDocument& document, const GltfJson& primitive,
                                const GltfMaterials& materials, RepairLog& repairs);

} // namespace sinew
