// The stacks of an FBX file as clips.
#pragma once

#include "import/fbx/blend_shapes.h"
#include "import/fbx/nodes.h"
#include "model/model.h"

namespace sinew {

// Appends a clip for each stack that moves nodes or blend shapes. Its time starts at the stack's
// start. The curves are sampled so that a posed vertex is within about 1e-6 of the model's size of
// where the curves put it, for each node above it; of what could not be, and of what is damaged or
// not followed, Model::warnings and the repairs tell. model: its meshes and morph targets are
// there.
void readFbxClips(const FbxAnimation& animation, const std::vector<FbxMotion>& motions,
                  const FbxNodes& nodes, const std::vector<FbxMorph>& morphs, RepairLog& repairs,
                  Model& model);

} // namespace sinew
