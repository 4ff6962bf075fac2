// What Assimp found in a file and sinew does not use, for one line of Model::warnings.
#pragma once

#include "model/model.h"

#include <assimp/scene.h>

namespace sinew {

// Empty where all is used. model: with the scene's materials, one each, in order.
std::string unusedOfScene(const aiScene& scene, const Model& model);

} // namespace sinew
