// Assimp's animations as clips: seconds, sorted keys, unit quaternions, real nodes.
#pragma once

#include "import/morph_reader.h"
#include "import/node_tree.h"
#include "import/source_kind.h"
#include "model/clip.h"

#include <assimp/scene.h>

#include <vector>

namespace sinew {

// tolerance: how far a resampled translation may be off between keys, in the file's unit.
std::vector<Clip> readClips(const aiScene& scene, SourceKind kind, const NodeTree& tree,
                            const MorphsOfNodes& morphs, float tolerance, RepairLog& repairs);

} // namespace sinew
