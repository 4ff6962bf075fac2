// The meshes that the models of an FBX file show, with their skins and morph targets.
#pragma once

#include "import/fbx/blend_shapes.h"
#include "import/fbx/materials.h"
#include "import/fbx/nodes.h"

namespace sinew {

// Appends meshes, skins and morph targets to the model: one mesh for each material of each visible
// model, or of each where none is visible. Vertices of skinned meshes are in model space as they
// were bound; those without weights follow the mesh's own node. Returns the channels of the morph
// targets. Throws FbxError, and Error with ErrorCause::limit beyond the options' number of
// vertices.
std::vector<FbxMorph> readFbxMeshes(const FbxDocument& document, const FbxNodes& nodes,
                                    FbxMaterials& materials, RepairLog& repairs, Model& model);

} // namespace sinew
