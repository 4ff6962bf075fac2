// What a VRM file says of its character: which nodes are the bones of a humanoid, which joints
// swing around which colliders, and poses of morph targets by name. VRM 1.0 (VRMC_vrm,
// VRMC_springBone, VRMC_springBone_extended_collider) and VRM 0 (VRM), which has the same in other
// words: github.com/vrm-c/vrm-specification. What three-vrm reads is read in the same way.
#pragma once

#include "import/gltf/meshes.h"

namespace sinew {

// Names the nodes' bones, and appends springs and morph poses to the model. References to what does
// not exist, and values of a wrong type, are left out, with a warning of how many: no file is
// refused for them.
void readVrm(GltfDocument& document, const GltfMorphsOfNodes& morphs, GltfNodes& nodes,
             Model& model);

} // namespace sinew
