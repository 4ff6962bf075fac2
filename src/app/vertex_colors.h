// Colours of vertices: by bone, where each joint has a colour of its own and weights mix the
// colours, and by the origin of transferred weights.
#pragma once

#include "core/transform.h"
#include "rig/rig.h"
#include "weights/transfer_weights.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// sRGB in [0, 1]; of the n-th joint. Neighbouring numbers have hues far apart: hues advance by the
// golden ratio, lightness in a cycle of three.
vec3 boneColor(std::uint32_t number);

// Per vertex of the rig the mean of its joints' colours by weight, sRGB. A node that is a joint of
// several skins has one colour.
std::vector<vec3> boneColors(const Rig& rig);

inline constexpr const char* kMatchLegend = "blue: matched, orange: inpainted, red: no match";

// Per vertex by where its weights are from, sRGB. `before` vertices that got no weights, grey, come
// first.
std::vector<vec3> matchColors(std::span<const TransferOrigin> origins, std::size_t before = 0);

} // namespace sinew
