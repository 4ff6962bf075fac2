// Where CpuSkin and its kernels write.
#pragma once

#include <cstddef>

namespace sinew {

// Where posed vertices go, three numbers each: in the order of CpuSkin::source(), or, with
// `scatter`, in the rig's, so many bytes apart; then either may be null.
struct SkinTarget {
  float* positions = nullptr;
  float* normals = nullptr;
  bool scatter = false;
  // For memory that is not read again soon, such as a mapped buffer: past the caches, if both
  // addresses are multiples of 64.
  bool streaming = false;
  std::size_t positionStride = 3 * sizeof(float), normalStride = 3 * sizeof(float); // with scatter
  // CpuSkin::skinInOrder(): four numbers each. Null: none are asked for.
  float* tangents = nullptr;
  std::size_t tangentStride = 4 * sizeof(float);
};

} // namespace sinew
