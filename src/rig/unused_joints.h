// Joints that move no skin. Their bind matrix in the file often means nothing, since a viewer of
// linear blending never reads it; other methods read it of a joint's parent.
#pragma once

#include "rig/rig.h"

#include <vector>

namespace sinew {

// Per joint: whether some vertex has weight of it.
std::vector<bool> jointsWithSkin(const Rig& rig);

// Binds joints without skin as the nearest joint with skin is bound, where their own matrix cannot
// belong to it: the identity, or of another scale (docs/methods.md, section 7).
void placeUnusedJoints(const Hierarchy& hierarchy, Rig& rig);

} // namespace sinew
