#include "import/material_reader.h"

#include "import/assimp_types.h"

#include <assimp/material.h>

namespace sinew {

void readMaterials(const aiScene& scene, const SourceFile& /*file*/,
                   const ImportOptions& /*options*/, Model& model) {
  for (unsigned i = 0; i < scene.mNumMaterials; ++i) {
    Material material;
    aiString name;
    if (scene.mMaterials[i]->Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = toString(name);
    model.materials.push_back(std::move(material));
  }
  if (model.materials.empty()) model.materials.push_back({});
}

} // namespace sinew
