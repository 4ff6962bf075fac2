// Whole files in and out. Output is written beside its place and renamed, so that a reader never
// sees half a file and an old one survives a failure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

// Throws inputError (missing, a folder, unreadable).
std::string readFile(const std::filesystem::path& path);

// Throws usageError when the folder does not exist or cannot be written.
void writeFile(const std::filesystem::path& path, std::string_view bytes);

// ".glb" for "A.GLB"; empty without one.
std::string extensionOf(const std::filesystem::path& path);

} // namespace sinew
