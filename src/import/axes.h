// The axes of a file's coordinates, and their conversion to ours: right-handed, Y up.
//
// Assimp converts some formats itself (glTF, Collada, MD5, X and Blitz3D become right-handed, the
// first three Y up) and leaves others unchanged (FBX, SMD, OBJ, BVH).
#pragma once

#include "core/transform.h"
#include "import/source_kind.h"

#include <assimp/scene.h>

#include <optional>

namespace sinew {

struct SourceSpace {
  mat4 modelFromFile{1.0f}; // a rotation; mirrored only if the file is left-handed
  std::optional<float> metersPerUnit;
};

SourceSpace sourceSpace(const aiScene& scene, SourceKind kind);

} // namespace sinew
