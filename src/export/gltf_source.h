// A glTF file on disk, made ready to be changed and written as one .glb: its JSON as
// it is, its buffers joined into the first one, its images inside.
#pragma once

#include "export/glb_buffer.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// A move of ordered JSON throws nothing, which clang-tidy does not see.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct GltfSource {
  GltfJson json;
  std::string bytes;              // content of buffers[0], which has no URI
  std::vector<std::string> notes; // what could not be kept
};

// Buffer views and images change where their bytes are elsewhere than in a .glb's own chunk.
// Nothing but JSON is looked into. Throws inputError.
GltfSource readGltfSource(const std::filesystem::path& path);

} // namespace sinew
