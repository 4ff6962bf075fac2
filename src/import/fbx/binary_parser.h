// The binary form of an FBX file, versions 6.1 to 7.7: 32-bit node headers before 7.5, 64-bit ones
// from there on.
#pragma once

#include "import/fbx/element.h"

namespace sinew {

// What binary files begin with.
inline constexpr std::string_view kFbxBinaryMagic{"Kaydara FBX Binary  \0", 21};

// The root element, whose children are the file's. Values refer to `bytes`, which must outlive
// them. Throws FbxError; every length is checked against the bytes that are left.
FbxElement parseFbxBinary(std::string_view bytes, std::uint32_t& version);

} // namespace sinew
