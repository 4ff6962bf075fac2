// The nodes of a model that was read from glTF, written back into its file (gltf_patch.h).
#pragma once

#include "export/glb_parts.h"
#include "model/gltf_origin.h"
#include "model/model.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sinew {

// The file cannot follow the change.
class CannotPatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kNoPlace = ~std::size_t{0};

// A node's index in the file. Throws CannotPatch where that is kNoPlace.
std::size_t toFileNode(const Model& model, const FileNodes& nodes, std::uint32_t node);

struct PatchedNodes {
  FileNodes before; // per node as read; kNoPlace: a root above those of the file
  FileNodes nodes;  // the same per node now
  std::vector<std::uint32_t> oldNodeByNode; // per node now the same one as read; kNoNode: new
  bool removed = false;                     // joints left the scene
};

// Adds nodes that are new and places those that moved. Joints that are gone leave the scene with
// what is below them, where nothing of that shows something. Throws CannotPatch.
PatchedNodes patchNodes(const Model& was, const GltfOrigin& origin, const Model& now,
                        GltfJson& file);

// Removes skins that no node has, as those of removed joints.
void removeUnusedSkins(GltfJson& file);

} // namespace sinew
