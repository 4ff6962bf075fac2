// Blocks of vertices skinned by vector instructions: the best that the processor has, chosen when
// the program runs (Google Highway). Agrees with Method::skin within rounding.
#pragma once

#include "cpu_skin/skin_tables.h"
#include "skinning/posed_arrays.h"

#include <string>

namespace sinew {

// Blocks [first, last). Blocks of different calls may be skinned at the same time.
void skinBlockRange(const SkinBlocks& blocks, const SkinTables& tables, const SkinTarget& target,
                    std::size_t first, std::size_t last);

// The instructions in use: "AVX3", ...
std::string vectorInstructions();

} // namespace sinew
