// Reads and writes whole files. Output is written atomically: to a temporary file that is renamed,
// so that a reader never sees a partial file and an old file survives a failure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

// Throws inputError (missing, a folder, unreadable), and Error with ErrorCause::limit where the
// file is longer than so many bytes.
inline constexpr std::uint64_t kMaxReadBytes = std::uint64_t{4} << 30; // devices have no end
std::string readFile(const std::filesystem::path& path, std::uint64_t maxBytes = kMaxReadBytes);

enum class FileAccess {
  usual, // as the user's mask says
  owner, // nobody else's: mode 0600
};

// A file in its place passes on its mode, owner and group; behind a link the file is replaced, not
// the link. Throws usageError where the folder does not exist or cannot be written, the file is
// write-protected, or its owner cannot be kept.
void writeFile(const std::filesystem::path& path, std::string_view bytes,
               FileAccess access = FileAccess::usual);

// ".glb" for "A.GLB"; empty without one.
std::string getExtension(const std::filesystem::path& path);

// The folder of the user's own files by the XDG base directory specification: sinew in the folder
// that the variable names, else in `below` of the home folder.
std::filesystem::path userFolder(const char* variable, const char* below);

} // namespace sinew
