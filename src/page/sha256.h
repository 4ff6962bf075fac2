// The hash SHA-256 (FIPS 180-4), with which a page names its own script.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sinew {

std::array<std::uint8_t, 32> sha256(std::string_view bytes);

} // namespace sinew
