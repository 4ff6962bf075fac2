// What a CpuSkin has prepared.
#pragma once

#include "cpu_skin/reference_slices.h"
#include "cpu_skin/skin_blocks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

struct CpuSkinData {
  std::uint32_t vertexCount = 0;
  std::size_t paletteRows = 0;
  SkinBlocks blocks;
  std::optional<SkinBlocks> tangentBlocks; // tangentSkinBlocks()
  std::vector<float> tangentSides;         // with them: w of the rig's tangents
  std::vector<ReferenceSlice> slices;      // without a kernel, or for tangents
};

} // namespace sinew
