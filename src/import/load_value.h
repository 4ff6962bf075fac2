// Numbers as files hold them.
#pragma once

#include <bit>
#include <cstring>

namespace sinew {

// The number whose bytes begin at `at`, aligned or not; the caller has checked that sizeof(T) bytes
// are there. The file is little-endian.
template <class T>
T loadValue(const char* at) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

} // namespace sinew
