// What the open dialog shows of a folder: sub-folders first, then the files that pass the filter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct FileEntry {
  std::string name;
  bool folder = false;
  std::uintmax_t bytes = 0; // size of a file
};

struct FileFilter {
  std::vector<std::string> extensions = {}; // ".x", lower case; empty: every file
  std::string text = {}; // must occur in the name of a file or folder, without case
  bool hidden = false;   // show names that begin with a dot
};

struct FileList {
  std::filesystem::path folder;
  std::vector<FileEntry> entries; // folders, then files, each by name without case
  std::string problem;            // why the folder cannot be read; empty if it can
};

FileList listFolder(const std::filesystem::path& folder, const FileFilter& filter);

bool passes(const FileEntry& entry, const FileFilter& filter);

// What a typed path means in a folder: "~" is $HOME, a relative path starts at `folder`.
std::filesystem::path typedPath(std::string_view typed, const std::filesystem::path& folder);

// "812 B", "1.4 MB".
std::string byteCount(std::uintmax_t bytes);

// Whether `text` holds every word of `words`, without case. No words: yes.
bool holdsWords(std::string_view text, std::string_view words);

} // namespace sinew
