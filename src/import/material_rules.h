// What holds for the materials of all formats, and images for them.
#pragma once

#include "model/model.h"

#include <cstdint>

namespace sinew {

// The highlight of a microfacet roughness in [0, 1] as a Blinn-Phong exponent (Walter et al. 2007:
// 2 / alpha^2 - 2).
void setRoughness(float roughness, Material& material);

// A Blinn-Phong exponent and the roughness of the same highlight.
void setShininess(float exponent, Material& material);

// The alpha mode of a format that states none: a texture that cuts a shape out is a mask, and a
// base colour that lets through is blended. texture: the base colour's, or null.
void setAlphaByContents(const Texture* texture, Material& material);

// Drops materials and textures that no mesh uses (Assimp adds default ones); keeps one at least.
void dropUnusedMaterials(Model& model);

// Images made of the channels of others: glTF has one image where FBX has two.

// An image of width x height pixels, to which both images are stretched. Green is the roughness,
// blue the metalness, each from the red channel of an image; 255 where there is none, so that the
// material's factor counts.
Image surfaceImage(const Image* roughness, const Image* metalness, std::uint32_t width,
                   std::uint32_t height);

// The colours of one image (null: white), and as alpha the opacity: its alpha if that says
// anything, else its mean colour, white being opaque.
Image opacityImage(const Image* color, const Image* opacity, std::uint32_t width,
                   std::uint32_t height);

// How an image with an opacity is drawn: cut out where it is nearly all there or not, blended
// where more than 1 of 200 pixels are in between, else opaque.
AlphaMode chooseAlphaMode(const Image& image);

} // namespace sinew
