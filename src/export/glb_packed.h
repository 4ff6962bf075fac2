// A .glb of packed accessors: streams of like elements, compressed by meshoptimizer
// (EXT_meshopt_compression).
#pragma once

#include "export/glb_buffer.h"
#include "import/gltf/document.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace sinew {

// Values of one accessor, ready for a stream. A move of ordered JSON throws nothing, which
// clang-tidy does not see. NOLINTNEXTLINE(bugprone-exception-escape)
struct Packed {
  std::string bytes; // `count` elements, before the filter is undone
  std::size_t count = 0;
  std::size_t stride = 0;
  const char* mode = "ATTRIBUTES";
  const char* filter = "NONE";
  int target = 0;
  GltfJson accessor; // without buffer view and offset
};

// The attributes of a primitive and of its morph targets, by accessor.
void forEachVertexAccessor(const GltfJson& primitive,
                           const std::function<void(std::size_t)>& visit);

bool hasDraco(const GltfJson& primitive);

// The file with these accessors in the place of its own. Accessors that nothing uses are dropped,
// unless an extension may use them. quantised: KHR_mesh_quantization is required.
std::string writePacked(GltfDocument& document, GltfJson out, std::map<std::size_t, Packed> packed,
                        bool quantised);

} // namespace sinew
