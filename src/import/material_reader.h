// Assimp's materials as ours, and the images they use.
#pragma once

#include "import/import_model.h"
#include "model/model.h"

#include <assimp/scene.h>

namespace sinew {

// One material per aiMaterial, in order, and at least one. Fills materials, textures and warnings.
void readMaterials(const aiScene& scene, const ImportOptions& options, Model& model);

// The set of texture coordinates that the material's base colour texture uses.
unsigned textureCoordinateSet(const aiMaterial& material);

} // namespace sinew
