// Where posed vertices go.
#pragma once

#include "core/transform.h"

#include <glm/vec4.hpp>

#include <cstddef>
#include <span>

namespace sinew {

// The vertices of one character, or of several one after another.
struct PosedArrays {
  std::span<vec3> positions;
  std::span<vec3> normals;
  std::span<vec4> tangents; // empty: they are not asked for
  // The memory is written past the caches where its addresses are multiples of 64 bytes.
  bool streaming = false;
};

// The vertices of one character, three numbers each: in the order of CpuSkin::source(), or, with
// `scatter`, in the rig's, with strides in bytes; then either may be null.
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
