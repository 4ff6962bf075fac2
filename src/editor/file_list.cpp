#include "editor/file_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>

namespace sinew {
namespace fs = std::filesystem;

namespace {

// ASCII only: enough for extensions and for a search that ignores case.
std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool comesBefore(const FileEntry& a, const FileEntry& b) {
  if (a.folder != b.folder) return a.folder;
  return lowered(a.name) < lowered(b.name);
}

} // namespace

bool holdsWords(std::string_view text, std::string_view words) {
  const std::string haystack = lowered(text);
  const std::string needles = lowered(words);
  std::size_t at = 0;
  while (at < needles.size()) {
    const std::size_t start = needles.find_first_not_of(' ', at);
    if (start == std::string::npos) break;
    const std::size_t end = std::min(needles.find(' ', start), needles.size());
    if (haystack.find(needles.substr(start, end - start)) == std::string::npos) return false;
    at = end;
  }
  return true;
}

bool passes(const FileEntry& entry, const FileFilter& filter) {
  if (!filter.hidden && entry.name.starts_with('.')) return false;
  if (!holdsWords(entry.name, filter.text)) return false;
  if (entry.folder || filter.extensions.empty()) return true;
  const std::string extension = lowered(fs::path(entry.name).extension().string());
  return std::find(filter.extensions.begin(), filter.extensions.end(), extension) !=
         filter.extensions.end();
}

FileList listFolder(const fs::path& folder, const FileFilter& filter) {
  FileList list;
  list.folder = folder;
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    std::error_code ignored; // a dangling link or a file that has just gone is left out
    FileEntry entry;
    entry.name = it->path().filename().string();
    entry.folder = it->is_directory(ignored);
    if (!entry.folder && !it->is_regular_file(ignored)) continue;
    if (!entry.folder) entry.bytes = it->file_size(ignored);
    if (!ignored && passes(entry, filter)) list.entries.push_back(std::move(entry));
  }
  if (error) list.problem = fmt::format("{}: {}", folder.string(), error.message());
  std::sort(list.entries.begin(), list.entries.end(), comesBefore);
  return list;
}

fs::path typedPath(std::string_view typed, const fs::path& folder) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (typed == "~" || typed.starts_with("~/")))
    return (fs::path(home) / typed.substr(std::min<std::size_t>(2, typed.size())))
        .lexically_normal();
  return (folder / fs::path(typed)).lexically_normal();
}

std::string byteCount(std::uintmax_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000.0;
  for (const char* unit : {"kB", "MB"}) {
    if (value < 1000.0) return fmt::format("{:.1f} {}", value, unit);
    value /= 1000.0;
  }
  return fmt::format("{:.1f} GB", value);
}

} // namespace sinew
