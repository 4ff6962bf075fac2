// A method for each joint (docs/methods.md, section 7): every vertex is skinned by the methods of
// the joints that bend it, mixed by their shares of the vertex (rig/bend_shares). Kavan and Zara
// 2003, section 3, have bones blending at some joints and vertex blending elsewhere.
#pragma once

#include "skinning/method.h"

#include <span>

namespace sinew {

// `others`: the methods of the table, for the names and parameters it offers. Their names and
// parameters stay where they are.
Method perJointMethod(std::span<const Method> others);

} // namespace sinew
