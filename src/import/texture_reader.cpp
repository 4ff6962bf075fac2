#include "import/texture_reader.h"

#include "core/file.h"
#include "import/image_decoder.h"
#include "import/readers.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sinew {
namespace {

constexpr std::size_t kMaxNamedTextures = 4; // images a warning lists
constexpr std::size_t kMaxMissing = 64;      // textures that get a checkerboard of their own

} // namespace

TextureReader::TextureReader(const ImportOptions& options, Model& model)
    : options_(options), model_(model), bytesLeft_(options.maxImageBytes) {
  const std::filesystem::path path(model.path);
  const bool opened = options.decodeTextures || options.checkTextures;
  finders_.emplace_back(path, options.maxFileBytes, opened ? options.fetch : FetchFile());
  for (const std::filesystem::path& folder : options.textureFolders)
    finders_.emplace_back(folder / path.filename(), options.maxFileBytes);
}

void TextureReader::count(const std::string& name, const ImageSize& size) {
  bytesLeft_ -= std::min(size.bytes(), bytesLeft_);
  if (size.factor == 1) return;
  scaledPixelsLeft_ -= std::min(size.pixels, scaledPixelsLeft_);
  model_.warnings.push_back(
      fmt::format("texture '{}' is too large: it is shown at {} x {} pixels, 1/{} of its size",
                  name, size.width, size.height, size.factor));
}

bool TextureReader::isNew(const std::string& name, std::uint32_t& index) {
  const auto [entry, added] =
      known_.emplace(name, static_cast<std::uint32_t>(model_.textures.size()));
  index = entry->second;
  if (added) reportImport(options_, 0.8f, "textures");
  return added;
}

Image TextureReader::decode(const std::string& name, std::string_view bytes) {
  const ImageSize size = checkImage(bytes, limits());
  Image image;
  if (options_.decodeTextures) image = decodeImage(bytes, limits());
  count(name, size);
  return image;
}

// Any number of textures may be missing: the later ones are the last that was listed.
std::uint32_t TextureReader::add(const std::string& name, Texture texture) {
  if (!texture.found && ++missing_ > kMaxMissing) {
    known_[name] = lastMissing_;
    return lastMissing_;
  }
  const auto index = static_cast<std::uint32_t>(model_.textures.size());
  if (!texture.found) lastMissing_ = index;
  model_.textures.push_back(std::move(texture));
  return index;
}

std::uint32_t TextureReader::file(const std::string& name) {
  std::uint32_t index = 0;
  return isNew(name, index) ? add(name, readFile(name)) : index;
}

std::uint32_t TextureReader::embedded(const std::string& name, const std::string& path,
                                      std::string_view bytes) {
  std::uint32_t index = 0;
  if (!isNew(name, index)) return index;
  return add(name, bytes.empty() ? missing(path, "is embedded but empty")
                                 : readEmbedded(path, [&] { return decode(path, bytes); }));
}

std::uint32_t TextureReader::embedded(const std::string& name, const std::string& path,
                                      std::uint32_t width, std::uint32_t height,
                                      const std::function<Image()>& image) {
  std::uint32_t index = 0;
  if (!isNew(name, index)) return index;
  return add(name, readEmbedded(path, [&] {
               const ImageSize size = sizeWithin(width, height, limits());
               count(path, size);
               if (!options_.decodeTextures) return Image();
               return size.factor == 1 ? image() : scaledImage(image(), size);
             }));
}

std::uint32_t TextureReader::lost(const std::string& name, const std::string& why) {
  std::uint32_t index = 0;
  return isNew(name, index) ? add(name, missing(name, why)) : index;
}

Texture TextureReader::readEmbedded(const std::string& path, const std::function<Image()>& image) {
  Texture texture{path, "embedded", {}, true};
  if (!options_.decodeTextures && !options_.checkTextures) return texture;
  try {
    texture.image = image();
  } catch (const std::runtime_error& error) {
    return missing(path, error.what());
  }
  return texture;
}

std::uint32_t TextureReader::joined(std::optional<std::uint32_t> first,
                                    std::optional<std::uint32_t> second, JoinImages* join) {
  std::string name = "*joined"; // no file is meant
  std::string path;
  std::uint32_t width = 1, height = 1;
  for (const auto& part : {first, second}) {
    name += part ? fmt::format(" {}", *part) : " none";
    if (!part) continue;
    const Texture& texture = model_.textures[*part];
    path += (path.empty() ? "" : " + ") + texture.path;
    width = std::max(width, texture.image.width);
    height = std::max(height, texture.image.height);
  }
  const auto getImage = [&](const std::optional<std::uint32_t>& part) {
    return part ? &model_.textures[*part].image : nullptr;
  };
  return embedded(name, path, width, height,
                  [&] { return join(getImage(first), getImage(second), width, height); });
}

// In the first folder that has it; where none does, what the model's own says.
TextureFinder::Found TextureReader::find(const std::string& name) {
  std::optional<TextureFinder::Found> first;
  for (TextureFinder& finder : finders_) {
    TextureFinder::Found found = finder.find(name);
    if (found.kind == ModelFolder::Kind::file) return found;
    if (!first) first = std::move(found);
  }
  return *first;
}

Texture TextureReader::readFile(const std::string& name) {
  const TextureFinder::Found found = find(name);
  if (found.kind != ModelFolder::Kind::file) {
    std::string hint;
    const std::vector<std::string> images =
        missing_ < kMaxMissing ? finders_.front().imagesBeside() : std::vector<std::string>();
    for (std::size_t i = 0; i < images.size() && i < kMaxNamedTextures; ++i)
      hint += (i == 0 ? "; beside the model lies " : ", ") + images[i];
    const bool refused = found.kind == ModelFolder::Kind::refused;
    return missing(name, (refused ? ModelFolder::kRefusal : "was not found") + hint);
  }
  Texture texture{name, found.path.lexically_normal().string(), {}, true};
  if (found.otherExtension)
    model_.warnings.push_back(
        fmt::format("texture '{}' was not found: {} is used instead", name, texture.source));
  if (!options_.decodeTextures && !options_.checkTextures) return texture;
  try {
    texture.image = decode(name, sinew::readFile(found.path));
  } catch (const std::runtime_error& error) {
    return missing(name, fmt::format("({}) {}", texture.source, error.what()));
  }
  return texture;
}

Texture TextureReader::missing(const std::string& name, const std::string& why) {
  model_.warnings.push_back(fmt::format(
      "texture '{}' {}: where it gives the colour, a checkerboard is shown", name, why));
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

bool isNormalMap(const Texture& texture) {
  if (!texture.found) return false;
  const std::vector<std::uint8_t>& rgba = texture.image.rgba;
  std::size_t upright = 0;
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
    vec3 v;
    for (std::size_t c = 0; c < 3; ++c)
      v[static_cast<int>(c)] = static_cast<float>(rgba[i + c]) / 127.5f - 1.0f;
    if (v.z > 0.2f && std::abs(glm::length(v) - 1.0f) < 0.15f) ++upright;
  }
  return upright > 0 && upright * 40 > rgba.size() * 9; // nine tenths
}

} // namespace sinew
