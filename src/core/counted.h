// "1 helper", "3 helpers".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

inline std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

} // namespace sinew
