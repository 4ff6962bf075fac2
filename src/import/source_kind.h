// The kinds of file formats that the importer tells apart; their table is formats.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

// The formats whose conventions (axes, units, key times) the importer knows; `other` is whatever
// else Assimp reads, without conversion.
enum class SourceKind { x, fbx, gltf, iqm, collada, md5, smd, b3d, bvh, obj, other };

struct SourceFile {
  std::filesystem::path path;
  std::string extension; // lower case, without the dot
  SourceKind kind = SourceKind::other;
  std::string format; // for display: "FBX binary", "DirectX X text", ...
  std::uint64_t bytes = 0;
};

// Looks at the name and the first bytes. Throws inputError for a file that is missing, a folder,
// empty, of an unknown kind, or clearly not of the format of its name; Error with ErrorCause::limit
// when it is longer than maxBytes.
SourceFile identifyFile(const std::filesystem::path& path, std::uint64_t maxBytes);

} // namespace sinew
