#include "editor/tasks/file_watch.h"

#include <system_error>

namespace sinew {
namespace fs = std::filesystem;

std::optional<FileStamp> readStamp(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  FileStamp stamp;
  stamp.bytes = fs::file_size(path, error);
  if (error) return std::nullopt;
  stamp.written = fs::last_write_time(path, error);
  if (error) return std::nullopt;
  return stamp;
}

FileWatch watchFile(const fs::path& path) {
  FileWatch watch;
  watch.path = path;
  watch.loaded = readStamp(path);
  return watch;
}

bool settledChange(FileWatch& watch, const std::optional<FileStamp>& stamp, double now) {
  if (!stamp || stamp == watch.loaded) {
    watch.seen.reset();
    return false;
  }
  if (stamp != watch.seen) {
    watch.seen = stamp;
    watch.seenAt = now;
    return false;
  }
  if (now - watch.seenAt < kSettleSeconds) return false;
  watch.loaded = stamp;
  watch.seen.reset();
  return true;
}

} // namespace sinew
