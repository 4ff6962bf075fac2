// Assimp's node tree as our hierarchy, and where each of its nodes went.
#pragma once

#include "import/fbx_pivots.h"
#include "import/repairs.h"
#include "model/hierarchy.h"

#include <assimp/scene.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

struct NodeTree {
  Hierarchy hierarchy;
  // Where the meshes of a node hang.
  std::unordered_map<const aiNode*, std::uint32_t> nodeOf;
  // Nodes by the name the file gives them; files do repeat names, the hierarchy does not.
  std::unordered_map<std::string, std::vector<std::uint32_t>> byName;
  // FBX: what a node's place was made of.
  std::map<std::uint32_t, FbxPivots> pivots;
  // A sheared node's inner half and its outer one, which an animation of the node must undo.
  std::map<std::uint32_t, std::uint32_t> stretchOf;
};

// modelFromFile turns the whole tree; where it is not the identity it becomes a node above the
// root.
NodeTree readNodes(const aiNode& root, const mat4& modelFromFile, RepairLog& repairs);

} // namespace sinew
