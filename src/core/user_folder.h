// Folders of the user's own files.
#pragma once

#include <filesystem>

namespace sinew {

// The XDG base directory specification: sinew in the folder that the variable names, else in
// `below` of the home folder.
std::filesystem::path userFolder(const char* variable, const char* below);

} // namespace sinew
