// The files of the module for browsers: names and bytes that its host gives, in place of a disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sinew {

// Files by their names from "/" on, without "." and ".."; a file implies the folders above it. The
// host's files lie in std::filesystem::current_path(), so that a path elsewhere is none of its
// files.
std::map<std::string, std::string>& givenFiles();

// The name under which a path's file would be found there.
std::string givenName(const std::filesystem::path& path);

} // namespace sinew
