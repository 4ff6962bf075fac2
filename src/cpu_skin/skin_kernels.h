// Blocks of vertices skinned by vector instructions: the best that the processor has, chosen when
// the program runs (Google Highway). Agrees with Method::skin within rounding.
#pragma once

#include "cpu_skin/skin_tables.h"

#include <string>

namespace sinew {

// Where posed vertices go, three numbers each: in the order of SkinBlocks::source, or, with
// `scatter`, in the rig's, so many bytes apart; then normals may be null.
struct SkinTarget {
  float* positions = nullptr;
  float* normals = nullptr;
  bool scatter = false;
  // For memory that is not read again soon, such as a mapped buffer: past the caches, if both
  // addresses are multiples of 64.
  bool streaming = false;
  std::size_t positionStride = 3 * sizeof(float), normalStride = 3 * sizeof(float); // with scatter
};

// Blocks [first, last). Blocks of different calls may be skinned at the same time.
void skinBlockRange(const SkinBlocks& blocks, const SkinTables& tables, const SkinTarget& target,
                    std::size_t first, std::size_t last);

// The instructions in use: "AVX3", ...
std::string vectorInstructions();

} // namespace sinew
