// A model's texture as a browser reads it.
#pragma once

#include "model/model.h"

#include <cstdint>
#include <string>

namespace sinew {

struct EncodedTexture {
  std::string mime; // "image/png" or "image/jpeg"
  std::string bytes;
};

// The bytes of the file that the texture was read from, where that is a PNG or JPEG of at most so
// many pixels each way; else halved until it has no more, as PNG, or as JPEG where that is far
// smaller, `exact` is not set and there is nothing to see through. Throws usageError for an image
// that cannot be encoded.
EncodedTexture encodeTexture(const Texture& texture, std::uint32_t largest, bool exact);

// The texture's image, halved until it has at most so many pixels each way.
Image limitedImage(const Texture& texture, std::uint32_t largest);

} // namespace sinew
