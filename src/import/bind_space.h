// A file's bind space may lie on its side or count in other units than the scene: whatever the
// inverse bind matrices expect. Here it becomes model space, so that the bind pose stands upright
// beside the rigid meshes, at their size. No posed vertex moves: F A^-1 v = F (A^-1 B^-1) (B v).
#pragma once

#include "import/source_kind.h"
#include "model/model.h"

#include <span>

namespace sinew {

// mesh and skin belong together; modelFromNode is the rest pose.
void moveBindToModelSpace(std::span<const mat4> modelFromNode, SourceKind kind, Mesh& mesh,
                          Skin& skin);

} // namespace sinew
