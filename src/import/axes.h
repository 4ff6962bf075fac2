// From the axes of a file that Assimp has read to ours: right-handed, Y up.
//
// Assimp converts some formats itself (MD5 and Blitz3D become right-handed, the first Y up) and
// leaves others unchanged (SMD, OBJ, BVH).
#pragma once

#include "core/transform.h"
#include "import/source_kind.h"

namespace sinew {

// A rotation.
mat4 modelFromFile(SourceKind kind);

} // namespace sinew
