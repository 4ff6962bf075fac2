// The images of a model: embedded ones, found ones, and what stands in for missing ones.
#pragma once

#include "import/import_model.h"
#include "import/texture_finder.h"

#include <assimp/scene.h>

#include <map>

namespace sinew {

// Reads each texture once, appends it to the model and reports what is odd about it in
// Model::warnings. Throws only Cancelled: a model without its textures is still a model.
class TextureReader {
 public:
  TextureReader(const aiScene& scene, const ImportOptions& options, Model& model);

  // Index into Model::textures of the texture a material names.
  std::uint32_t read(const std::string& name);

 private:
  Texture readEmbedded(const aiTexture& source, const std::string& name);
  Texture readFile(const std::string& name);
  Texture missing(const std::string& name, const std::string& why);

  const aiScene& scene_;
  const ImportOptions& options_;
  Model& model_;
  TextureFinder finder_;
  std::map<std::string, std::uint32_t> known_;
};

// Whether the image's alpha cuts a shape out: nearly all of it is either there or not.
bool hasCutout(const Image& image);

} // namespace sinew
