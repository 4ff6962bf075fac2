// Assimp's materials as ours, and the images they use.
#pragma once

#include "import/import_model.h"
#include "import/source_kind.h"
#include "model/model.h"

#include <assimp/scene.h>

namespace sinew {

// One material per aiMaterial, in order, and at least one. Fills materials, textures and warnings.
void readMaterials(const aiScene& scene, SourceKind kind, const ImportOptions& options,
                   Model& model);

// The set of texture coordinates that the material's base colour texture uses.
unsigned textureCoordinateSet(const aiMaterial& material);

// The highlight of a microfacet roughness in [0, 1] as a Blinn-Phong exponent (Walter et al. 2007:
// 2 / alpha^2 - 2).
void setRoughness(float roughness, Material& material);

// The alpha mode of a format that states none: a texture that cuts a shape out is a mask, and a
// base colour that lets through is blended. texture: of the base colour, or null.
void setAlphaByContents(const Texture* texture, Material& material);

// Drops materials and textures that no mesh uses (Assimp adds default ones); keeps one at least.
void dropUnusedMaterials(Model& model);

} // namespace sinew
