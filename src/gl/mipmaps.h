// The smaller copies of a texture that are read where it is drawn small (mipmaps). Made here and
// not by glGenerateMipmap, for which a software renderer compiles a shader at every start.
#pragma once

#include "model/model.h"

#include <vector>

namespace sinew {

// Whether shaders read an image's texels as light (decoded from sRGB) or as they are stored.
enum class Texels { light, stored };

// Each half as wide and high as the one before, rounded down, to a single texel; without the image
// itself. A texel is the mean of those it covers, weighted by area, as light where texels are that;
// alpha is as it is stored. The image has at least one pixel.
std::vector<Image> makeMipmaps(const Image& image, Texels texels);

} // namespace sinew
