// The axes of a file's coordinates, and their conversion to ours: right-handed, Y up.
//
// Assimp converts some formats itself (glTF, Collada, MD5, X and Blitz3D become right-handed, the
// first three Y up) and leaves others unchanged (FBX, SMD, OBJ, BVH).
#pragma once

#include "core/transform.h"
#include "import/source_kind.h"

#include <assimp/scene.h>

#include <array>
#include <optional>

namespace sinew {

struct SourceSpace {
  mat4 modelFromFile{1.0f}; // a rotation; mirrored only if the file is left-handed
  std::optional<float> metersPerUnit;
};

SourceSpace sourceSpace(const aiScene& scene, SourceKind kind);

// FBX names the axis (0 x, 1 y, 2 z) and sign of "right", "up" and "towards the viewer".
struct FbxAxes {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};
};
// The identity where they are no coordinate system.
mat4 modelFromFbx(const FbxAxes& axes);

} // namespace sinew
