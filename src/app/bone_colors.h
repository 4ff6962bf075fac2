// Colour by bone: each joint has a colour of its own, and weights mix the colours.
#pragma once

#include "core/transform.h"
#include "rig/rig.h"

#include <cstdint>
#include <vector>

namespace sinew {

// sRGB in [0, 1]; of the n-th joint. Neighbouring numbers have hues far apart: hues advance by the
// golden ratio, lightness in a cycle of three.
vec3 boneColor(std::uint32_t number);

// Per vertex of the rig the mean of its joints' colours by weight, sRGB. A node that is a joint of
// several skins has one colour.
std::vector<vec3> boneColors(const Rig& rig);

} // namespace sinew
