// The images of a model: embedded ones, found ones, and a replacement for missing ones.
#pragma once

#include "import/import_model.h"
#include "import/scaled_image.h"
#include "import/texture_finder.h"

#include <functional>
#include <map>
#include <optional>
#include <string_view>

namespace sinew {

// Reads each texture once, appends it to the model and reports problems in
// Model::warnings. Throws only Cancelled: a missing texture does not make the import fail.
class TextureReader {
 public:
  // Pixels of all images scaled while they are decoded: they take time, whatever their new size.
  static constexpr std::uint64_t kMaxScaledPixels = std::uint64_t{1} << 29;

  TextureReader(const ImportOptions& options, Model& model);

  // All return an index into Model::textures. file(): an image file, by its name in a material.
  std::uint32_t file(const std::string& name);
  // An image within the model file; `name` tells it from others, `path` is what people see.
  std::uint32_t embedded(const std::string& name, const std::string& path, std::string_view bytes);
  // The same from pixels: `image` gives width x height of them, if that is not too large.
  std::uint32_t embedded(const std::string& name, const std::string& path, std::uint32_t width,
                         std::uint32_t height, const std::function<Image()>& image);
  // One image from two textures of the model, either of which may be missing: `join` makes it, in
  // the larger of their sizes (material_rules.h).
  using JoinImages = Image(const Image*, const Image*, std::uint32_t, std::uint32_t);
  std::uint32_t joined(std::optional<std::uint32_t> first, std::optional<std::uint32_t> second,
                       JoinImages* join);
  // An image that the model file does not have, or not whole.
  std::uint32_t lost(const std::string& name, const std::string& why);

 private:
  // Whether the texture has still to be read; cancels.
  bool isNew(const std::string& name, std::uint32_t& index);
  Texture readEmbedded(const std::string& path, const std::function<Image()>& image);
  Texture readFile(const std::string& name);
  ImageLimits limits() const { return {options_.maxImageSide, bytesLeft_, scaledPixelsLeft_}; }
  // Takes an image of the file's size from what is left; `name` is for a warning if it is scaled.
  void count(const std::string& name, const ImageSize& size);
  TextureFinder::Found find(const std::string& name);
  Image decode(const std::string& name, std::string_view bytes); // empty where the options say so
  Texture missing(const std::string& name, const std::string& why);
  std::uint32_t add(const std::string& name, Texture texture); // returns its index

  const ImportOptions& options_;
  Model& model_;
  std::vector<TextureFinder> finders_; // for the model's folder, and for those the user names
  std::map<std::string, std::uint32_t> known_;
  std::size_t missing_ = 0;
  std::uint32_t lastMissing_ = 0;
  std::uint64_t bytesLeft_; // for the textures that follow
  std::uint64_t scaledPixelsLeft_ = kMaxScaledPixels;
};

// Whether the image's alpha cuts a shape out: nearly all of it is either there or not.
bool hasCutout(const Image& image);

// Whether the image, which is there, holds unit vectors, most of them upright: a normal map and no
// map of heights.
bool isNormalMap(const Texture& texture);

} // namespace sinew
