// What holds for the materials of all formats.
#pragma once

#include "model/model.h"

namespace sinew {

// The highlight of a microfacet roughness in [0, 1] as a Blinn-Phong exponent (Walter et al. 2007:
// 2 / alpha^2 - 2).
void setRoughness(float roughness, Material& material);

// A Blinn-Phong exponent and the roughness of the same highlight.
void setShininess(float exponent, Material& material);

// The alpha mode of a format that states none: a texture that cuts a shape out is a mask, and a
// base colour that lets through is blended. texture: of the base colour, or null.
void setAlphaByContents(const Texture* texture, Material& material);

// Drops materials and textures that no mesh uses (Assimp adds default ones); keeps one at least.
void dropUnusedMaterials(Model& model);

} // namespace sinew
