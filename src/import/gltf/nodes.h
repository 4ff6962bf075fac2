// The nodes of a glTF file's scene as a hierarchy. A node is known by its index; names are for
// people, and made unique.
#pragma once

#include "import/gltf/document.h"
#include "import/repairs.h"
#include "model/hierarchy.h"

#include <map>
#include <vector>

namespace sinew {

struct GltfNodes {
  Hierarchy hierarchy;
  std::vector<std::uint32_t> nodeByFileNode; // per node of the file; kNoNode: not in the scene
  std::vector<std::size_t> order;            // the file's nodes in the order of the hierarchy
  // Nodes at which the mesh of a node of the file is drawn, instead of at that node.
  std::map<std::size_t, std::vector<std::uint32_t>> instancesByNode;
};

// The default scene, or the first one, or without scenes all nodes; and what the scene's skins name
// elsewhere. Several roots get one above them. Throws GltfError for a node with two parents or with
// itself above it.
GltfNodes readGltfNodes(GltfDocument& document, RepairLog& repairs);

} // namespace sinew
