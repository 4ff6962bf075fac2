// The weights that a model has, by the joints of its skeleton.
#pragma once

#include "model/mesh.h"
#include "weights/skeleton.h"

#include <string_view>

namespace sinew {

// Of all vertices of the model in order; joints are indices into Skeleton::joints, and none is
// named twice by a vertex. A rigid mesh follows the joint above its node. skeleton: of the model.
// Throws inputError with `path` for a mesh below no joint.
Influences weightsBySkeleton(const Model& model, const Skeleton& skeleton, std::string_view path);

} // namespace sinew
