// The tracks of a .glb's animations with fewer keys, in its JSON.
#pragma once

#include "export/fewer_keys.h"
#include "export/glb_buffer.h"
#include "model/gltf_origin.h"

#include <cstddef>
#include <map>
#include <vector>

namespace sinew {

// Values of accessors that are appended, by accessor.
using NewAccessors = std::map<std::size_t, std::vector<float>>;

// Channels whose tracks are empty go, the others get new samplers. An animation is as long as it
// was. What a clip does not hold stays. out: the document's root, which is changed.
NewAccessors putTracks(const std::vector<Clip>& clips, const GltfOrigin& origin, GltfJson& out);

// Numbers in a value of the channel: 4 for rotations, 3 for translations and scales, else 0.
std::size_t countComponents(const GltfJson& channel);

float findLargest(const std::vector<float>& values); // magnitude

} // namespace sinew
