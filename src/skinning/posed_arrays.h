// Room for the posed vertices of one character or of several, those of one after another.
#pragma once

#include "core/transform.h"

#include <glm/vec4.hpp>

#include <span>

namespace sinew {

struct PosedArrays {
  std::span<vec3> positions;
  std::span<vec3> normals;
  std::span<vec4> tangents; // empty: they are not asked for
  // The memory is written past the caches where its addresses are multiples of 64 bytes.
  bool streaming = false;
};

} // namespace sinew
