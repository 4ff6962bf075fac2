// Typed arrays of a glTF file: every component type, normalised integers, strides, sparse values.
#pragma once

#include "import/gltf/document.h"

#include <cstdint>
#include <vector>

namespace sinew {

// The shape of an accessor.
struct GltfAccessor {
  std::size_t count = 0;
  std::size_t components = 0; // per element: 1 to 4, or 16
  bool normalized = false;
};
GltfAccessor accessorAt(const GltfDocument& document, std::size_t index);

// count * components values. Normalised integers are in [-1, 1] or [0, 1], others as they are.
// Throws GltfError where the accessor does not fit its bytes, or has other components than asked
// for (0: any).
std::vector<float> readFloats(GltfDocument& document, std::size_t index, std::size_t components);

// The same for indices and joints, which are unsigned integers.
std::vector<std::uint32_t> readIntegers(GltfDocument& document, std::size_t index,
                                        std::size_t components);

} // namespace sinew
