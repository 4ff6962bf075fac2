// Assimp's node tree as our hierarchy, and where each of its nodes went.
#pragma once

#include "import/named_nodes.h"
#include "import/repairs.h"

#include <assimp/scene.h>

#include <map>
#include <unordered_map>

namespace sinew {

struct NodeTree : NamedNodes {
  // The node that the meshes of a node belong to.
  std::unordered_map<const aiNode*, std::uint32_t> nodeBySource;
  // A sheared node's inner half and its outer one, which an animation of the node must undo.
  std::map<std::uint32_t, std::uint32_t> stretchByNode;
};

// modelFromFile transforms the whole tree; if it is not the identity it becomes a node above the
// root.
NodeTree readNodes(const aiNode& root, const mat4& modelFromFile, RepairLog& repairs);

} // namespace sinew
