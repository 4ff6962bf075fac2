// Materials and textures as objects of an FBX file.
#pragma once

#include "export/fbx/scene.h"
#include "model/model.h"

namespace sinew {

// An image that is written beside the file. path: relative to it.
struct FbxImageFile {
  std::string path;
  std::string bytes;
};

struct FbxMaterialObjects {
  std::vector<std::int64_t> ids; // of every material of the model
  std::vector<FbxImageFile> images;
};

// imageFolder: where images lie beside the file, relative to it; empty: they are embedded. Textures
// that were not found are named as the model's file names them.
FbxMaterialObjects addFbxMaterials(const Model& model, const std::string& imageFolder,
                                   FbxScene& scene);

} // namespace sinew
