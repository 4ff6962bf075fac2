// The clips of a model that was read from glTF, written back into its file (gltf_patch.h).
#pragma once

#include "export/gltf_patch_nodes.h"
#include "model/gltf_origin.h"
#include "model/model.h"

#include <map>
#include <span>
#include <vector>

namespace sinew {

// By the nodes of a file that have no weights of their own: the mesh whose weights they have.
using MeshesOfWeights = std::map<std::size_t, std::size_t>;
MeshesOfWeights meshesOfWeights(const GltfJson& file);

// Two models and what one is in the file.
struct PatchedModel {
  const Model& was; // as read
  const GltfOrigin& origin;
  const Model& now;
  const FileNodes& nodes;                       // per node now; kNoPlace: the file does not have it
  std::span<const std::uint32_t> oldNodeByNode; // per node now; kNoNode: new
  std::vector<MorphingMesh> morphing;           // meshes of `now` that have morph targets
  MeshesOfWeights meshesOfWeights;              // from the file before it was patched
};

// Channels that have not changed stay byte for byte, also those that the model does not have. Clips
// that are gone are removed; new ones are added in their order.
void patchClips(const PatchedModel& model, GltfJson& file, GlbBuffer& buffer);

} // namespace sinew
