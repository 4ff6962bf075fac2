// Assimp's animations as clips: seconds, sorted keys, unit quaternions, real nodes.
#pragma once

#include "import/node_tree.h"
#include "import/source_kind.h"
#include "model/clip.h"

#include <assimp/scene.h>

#include <vector>

namespace sinew {

std::vector<Clip> readClips(const aiScene& scene, SourceKind kind, const NodeTree& tree,
                            RepairLog& repairs);

} // namespace sinew
