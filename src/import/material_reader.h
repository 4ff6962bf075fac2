// Assimp's materials as ours, and the images they use.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"
#include "model/model.h"

#include <assimp/scene.h>

namespace sinew {

// Fills materials, textures and warnings of the model. At least one material afterwards.
void readMaterials(const aiScene& scene, const SourceFile& file, const ImportOptions& options,
                   Model& model);

} // namespace sinew
