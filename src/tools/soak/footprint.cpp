#include "tools/soak/footprint.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <sys/wait.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMegabyte = 1 << 20;

std::size_t countEntries(const fs::path& folder) {
  const fs::directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::size_t filesBelow(const fs::path& folder) {
  const fs::recursive_directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Memory without pages of files: the pages of a library come when it runs a part for the first
// time, and go when the system needs room.
std::int64_t residentBytes() {
  constexpr std::int64_t kKilobyte = 1 << 10;
  std::ifstream status("/proc/self/status");
  std::int64_t resident = 0;
  for (std::string name; status >> name;) {
    std::int64_t kilobytes = 0;
    if ((name == "RssAnon:" || name == "RssShmem:") && status >> kilobytes)
      resident += kilobytes * kKilobyte;
  }
  return resident;
}

double megabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kMegabyte);
}

} // namespace

Footprint footprint(std::size_t glObjects) {
  ::malloc_trim(0);
  const struct mallinfo2 heap = ::mallinfo2();
  Footprint now;
  now.resident = residentBytes();
  now.allocated = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
  now.descriptors = countEntries("/proc/self/fd");
  now.threads = countEntries("/proc/self/task");
  now.files = filesBelow(fs::temp_directory_path());
  if (fs::current_path() != fs::temp_directory_path()) now.files += filesBelow(fs::current_path());
  siginfo_t info{};
  now.children = ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
  now.glObjects = glObjects;
  return now;
}

std::string toString(const Footprint& now) {
  return fmt::format("{:.2f} MB resident, {:.2f} MB allocated, {} descriptors, {} threads, "
                     "{} files, {} GL objects{}",
                     megabytes(now.resident), megabytes(now.allocated), now.descriptors,
                     now.threads, now.files, now.glObjects,
                     now.children ? ", processes not waited for" : "");
}

std::string growth(const Footprint& before, const Footprint& now) {
  std::string text;
  const auto add = [&](bool grown, const std::string& what) {
    if (grown) text += (text.empty() ? "" : ", ") + what;
  };
  add(now.resident - before.resident >= kMegabyte,
      fmt::format("{:.2f} MB resident", megabytes(now.resident - before.resident)));
  add(now.allocated - before.allocated >= kMegabyte,
      fmt::format("{:.2f} MB allocated", megabytes(now.allocated - before.allocated)));
  const auto addCount = [&](std::size_t then, std::size_t here, const char* what) {
    add(here > then, fmt::format("{} {}", here - then, what));
  };
  addCount(before.descriptors, now.descriptors, "descriptors");
  addCount(before.threads, now.threads, "threads");
  addCount(before.files, now.files, "files");
  addCount(before.glObjects, now.glObjects, "GL objects");
  add(now.children, "processes not waited for");
  return text;
}

} // namespace sinew
