// Notices that a file has been written again, and waits until the writing is over.
//
// Exporters write for a while, and many replace a file by deleting it first. So a change is
// reported only once the file has kept the same size and time for kSettleSeconds; a missing
// file has not settled yet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sinew {

struct FileStamp {
  std::filesystem::file_time_type written;
  std::uintmax_t bytes = 0;
  bool operator==(const FileStamp&) const = default;
};

inline constexpr double kSettleSeconds = 0.4;

struct FileWatch {
  std::filesystem::path path; // empty: nothing is watched
  std::optional<FileStamp> loaded;
  std::optional<FileStamp> seen; // what the last look found, if it differs from loaded
  double seenAt = 0.0;
};

// Empty if there is no such file.
std::optional<FileStamp> readStamp(const std::filesystem::path& path);

FileWatch watchFile(const std::filesystem::path& path);

// One look at time `now` (seconds, any origin). True once for each settled change, which from then
// on counts as loaded.
bool settledChange(FileWatch& watch, const std::optional<FileStamp>& stamp, double now);

} // namespace sinew
