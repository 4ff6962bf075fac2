// Vertices at the same place: positions as keys of a hash table.
#pragma once

#include "core/transform.h"

#include <functional>
#include <string_view>

namespace sinew {

struct PositionHash {
  std::size_t operator()(const vec3& p) const {
    const vec3 q = p + 0.0f; // -0 and 0 are one place
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(&q), sizeof q});
  }
};

} // namespace sinew
