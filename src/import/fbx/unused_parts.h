// What an FBX file holds and sinew does not use.
#pragma once

#include "import/fbx/materials.h"
#include "import/fbx/nodes.h"

namespace sinew {

// Lines for Model::warnings.
std::vector<std::string> unusedParts(const FbxDocument& document, const FbxNodes& nodes,
                                     const FbxMaterials& materials);

} // namespace sinew
