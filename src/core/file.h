// Reads and writes whole files. Output is written atomically: to a temporary file that is renamed,
// so that a reader never sees a partial file and an old file survives a failure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

// Throws inputError (missing, a folder, unreadable).
std::string readFile(const std::filesystem::path& path);

enum class FileAccess {
  usual, // as the user's mask says
  owner, // nobody else's: mode 0600
};

// Throws usageError when the folder does not exist or cannot be written.
void writeFile(const std::filesystem::path& path, std::string_view bytes,
               FileAccess access = FileAccess::usual);

// ".glb" for "A.GLB"; empty without one.
std::string extensionOf(const std::filesystem::path& path);

} // namespace sinew
