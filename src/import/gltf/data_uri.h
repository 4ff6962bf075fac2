// URIs of a glTF document that hold the data themselves (RFC 2397).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// The bytes of "data:application/octet-stream;base64,AAAA"; nothing for another URI. Throws
// GltfError for base64 that is none.
std::optional<std::string> bytesOfDataUri(std::string_view uri);

} // namespace sinew
