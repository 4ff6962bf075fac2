// The steps of reading a glTF file, after its materials and nodes.
#pragma once

#include "import/gltf/document.h"
#include "import/gltf/materials.h"
#include "import/gltf/nodes.h"
#include "import/repairs.h"
#include "model/gltf_origin.h"
#include "model/model.h"

#include <map>

namespace sinew {

// Puts cameras, lights (KHR_lights_punctual) and extras at the nodes of the hierarchy. Values of
// the wrong type are ignored: no file is refused for what is not drawn.
void readGltfSceneParts(const GltfDocument& document, GltfNodes& nodes);

// The morph targets of a mesh that a node shows: `count` of the model's, from `first` on.
struct GltfMorphs {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
using GltfMorphsOfNodes = std::map<std::size_t, GltfMorphs>; // by the node's index in the file

// Appends meshes, morph targets and skins to the model, whose hierarchy and materials are there:
// one mesh for each primitive that a node shows. A skin of the file is one skin of the model; a
// mesh shown twice with the same skin stands in one place, so once. Every showing has morph targets
// of its own (origin: where they stand in the file), since the file's weights belong to nodes.
// Throws GltfError, and Error with ErrorCause::limit beyond the options' number of vertices.
GltfMorphsOfNodes readGltfMeshes(GltfDocument& document, const GltfNodes& nodes,
                                 const GltfMaterials& materials, RepairLog& repairs, Model& model,
                                 GltfOrigin& origin);

// What a VRM file says of its character: which nodes are the bones of a humanoid, which joints
// swing around which colliders, and poses of morph targets by name. VRM 1.0 (VRMC_vrm,
// VRMC_springBone, VRMC_springBone_extended_collider) and VRM 0 (VRM), which has the same in other
// words: github.com/vrm-c/vrm-specification. What three-vrm reads is read in the same way.
//
// Names the nodes' bones, and appends springs and morph poses to the model. References to what does
// not exist, and values of a wrong type, are left out, with a warning of how many: no file is
// refused for them.
void readVrm(GltfDocument& document, const GltfMorphsOfNodes& morphs, GltfNodes& nodes,
             Model& model);

// Appends the clips that move nodes of the scene or morph targets (by node); of others it says in
// Model::warnings what they hold. Keys, steps and cubic splines are kept as they are. Throws
// GltfError.
void readGltfAnimations(GltfDocument& document, const GltfNodes& nodes,
                        const GltfMorphsOfNodes& morphs, RepairLog& repairs, Model& model,
                        GltfOrigin& origin);

} // namespace sinew
