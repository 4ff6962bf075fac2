// The files of the module for browsers: names and bytes that its host gives, in place of a disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sinew {

// By their names below "/", without "." and "..": a file, and by that the folders above it.
std::map<std::string, std::string>& givenFiles();

// The name under which a path's file would be found there.
std::string givenName(const std::filesystem::path& path);

} // namespace sinew
