// The bytes of a .x file as its objects.
#pragma once

#include "import/x/object.h"

namespace sinew {

inline constexpr std::size_t kXHeaderBytes = 16; // "xof 0303txt 0032"

// bytes: the whole file, header included. maxBytes: of a compressed one when it is unpacked. Throws
// XError where it is damaged, or of a kind that is not read.
XObjects parseX(std::string_view bytes, std::uint64_t maxBytes);

// What follows the header of a compressed file, unpacked: blocks of MSZIP, each deflated with the
// 32 KiB before it as its dictionary ("MSZIP Compression Format", Microsoft's [MS-MCI]).
std::string unpackX(std::string_view bytes, std::uint64_t maxBytes);

} // namespace sinew
