// A file's bind space may have another orientation or unit than the scene, as its inverse bind
// matrices define it. It is converted to model space here, so that the bind pose is upright and has
// the scale of the rigid meshes. No posed vertex moves: F A^-1 v = F (A^-1 B^-1) (B v).
#pragma once

#include "import/source_kind.h"
#include "model/model.h"

#include <span>

namespace sinew {

// The matrix B; the identity for a skin without joints. It may have no inverse where the file's
// matrices are odd: canMoveBind() says whether it has one, and is not the identity.
mat4 modelFromBind(std::span<const mat4> modelFromNode, SourceKind kind, const Mesh& mesh,
                   const Skin& skin);
bool canMoveBind(const mat4& modelFromBind);
void moveBind(const mat4& modelFromBind, Mesh& mesh);
void moveBind(const mat4& modelFromBind, Skin& skin);

// All of it for one mesh that Assimp has read. mesh and skin belong together; modelFromNode is the
// rest pose.
void moveBindToModelSpace(std::span<const mat4> modelFromNode, Mesh& mesh, Skin& skin);

} // namespace sinew
