// Which way a file's coordinates lie, and how they become ours: right-handed, Y up.
//
// Assimp turns some formats itself (glTF, Collada, MD5, X and Blitz3D come out right-handed, the
// first three Y up) and leaves others as they are (FBX, SMD, OBJ, BVH).
#pragma once

#include "core/transform.h"
#include "import/source_kind.h"

#include <assimp/scene.h>

#include <optional>

namespace sinew {

struct SourceSpace {
  mat4 modelFromFile{1.0f}; // a rotation; with a mirror only where the file says it is left-handed
  std::optional<float> metersPerUnit;
};

SourceSpace sourceSpace(const aiScene& scene, SourceKind kind);

} // namespace sinew
