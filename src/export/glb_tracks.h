// Tracks of a .glb that never change: one key, or none.
#pragma once

#include "export/glb_buffer.h"
#include "import/gltf/document.h"

#include <cstddef>
#include <set>
#include <vector>

namespace sinew {

inline constexpr std::size_t kNoAccessor = ~std::size_t{0};

struct ShortTracks {
  std::set<std::size_t> held;          // outputs with one key
  std::size_t firstTime = kNoAccessor; // the accessor of the time 0 alone, which is appended
};

// One key of a track that never changes; none where that is the node's own place. A clip keeps its
// length. out: the document's root, which is changed.
ShortTracks shortenTracks(GltfDocument& document, GltfJson& out);

// Of the channel's values: 4 of rotations, 3 of translations and scales; 0: of another kind.
std::size_t componentsOf(const GltfJson& channel);

float largestOf(const std::vector<float>& values); // magnitude

} // namespace sinew
