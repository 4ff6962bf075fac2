#include "import/texture_reader.h"

#include "core/file.h"
#include "import/image_decoder.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sinew {
namespace {

constexpr std::size_t kMostNamed = 4; // images a warning lists

// Uncompressed texels, which Assimp keeps as blue, green, red, alpha.
Image fromTexels(const aiTexture& source) {
  Image image{source.mWidth, source.mHeight, {}};
  const std::size_t count = std::size_t{image.width} * image.height;
  image.rgba.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const aiTexel& texel = source.pcData[i];
    image.rgba.insert(image.rgba.end(), {texel.r, texel.g, texel.b, texel.a});
  }
  return image;
}

} // namespace

TextureReader::TextureReader(const aiScene& scene, const ImportOptions& options, Model& model)
    : scene_(scene), options_(options), model_(model), finder_(model.path) {}

std::uint32_t TextureReader::read(const std::string& name) {
  const auto [place, isNew] =
      known_.emplace(name, static_cast<std::uint32_t>(model_.textures.size()));
  if (!isNew) return place->second;
  if (options_.progress && !options_.progress(0.8f, "textures")) throw Cancelled();
  const aiTexture* embedded = scene_.GetEmbeddedTexture(name.c_str());
  model_.textures.push_back(embedded != nullptr ? readEmbedded(*embedded, name) : readFile(name));
  return place->second;
}

Texture TextureReader::readEmbedded(const aiTexture& source, const std::string& name) {
  if (source.pcData == nullptr) return missing(name, "is embedded but empty");
  Texture texture{name, "embedded", {}, true};
  if (source.mFilename.length > 0) texture.path = source.mFilename.C_Str();
  if (!options_.decodeTextures) return texture;
  try {
    if (source.mHeight > 0)
      texture.image = fromTexels(source);
    else
      texture.image = decodeImage({reinterpret_cast<const char*>(source.pcData), source.mWidth},
                                  options_.maxImagePixels);
  } catch (const std::runtime_error& error) {
    return missing(texture.path, error.what());
  }
  return texture;
}

Texture TextureReader::readFile(const std::string& name) {
  const auto found = finder_.find(name);
  if (!found) {
    std::string hint;
    const std::vector<std::string> images = finder_.imagesBeside();
    for (std::size_t i = 0; i < images.size() && i < kMostNamed; ++i)
      hint += (i == 0 ? "; beside the model lies " : ", ") + images[i];
    return missing(name, "was not found" + hint);
  }
  Texture texture{name, found->path.lexically_normal().string(), {}, true};
  if (found->otherExtension)
    model_.warnings.push_back(
        fmt::format("texture '{}' was not found: {} is used instead", name, texture.source));
  if (!options_.decodeTextures) return texture;
  try {
    texture.image = decodeImage(sinew::readFile(found->path), options_.maxImagePixels);
  } catch (const std::runtime_error& error) {
    return missing(name, fmt::format("({}) {}", texture.source, error.what()));
  }
  return texture;
}

Texture TextureReader::missing(const std::string& name, const std::string& why) {
  model_.warnings.push_back(
      fmt::format("texture '{}' {}: a checkerboard is shown instead", name, why));
  return {name, "", checkerboard(), false};
}

bool hasCutout(const Image& image) {
  const std::size_t count = image.rgba.size() / 4;
  std::size_t clear = 0;
  std::size_t solid = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t alpha = image.rgba[4 * i + 3];
    if (alpha < 16)
      ++clear;
    else if (alpha > 239)
      ++solid;
  }
  return clear * 200 > count && solid * 10 > count && (clear + solid) * 10 > count * 9;
}

} // namespace sinew
