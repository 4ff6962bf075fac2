#include "editor/tasks/file_watch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>

namespace sinew {
namespace {

FileStamp stamp(int second, std::uintmax_t bytes) {
  return {std::filesystem::file_time_type(std::chrono::seconds(second)), bytes};
}

} // namespace

TEST_CASE("file watch: a change counts once it has settled, and once only") {
  FileWatch watch;
  watch.loaded = stamp(1, 10);
  CHECK_FALSE(settledChange(watch, stamp(1, 10), 0.0));
  CHECK_FALSE(settledChange(watch, stamp(2, 3), 1.0));
  CHECK_FALSE(settledChange(watch, stamp(2, 7), 1.3)); // still growing: the wait starts again
  CHECK_FALSE(settledChange(watch, stamp(2, 7), 1.6));
  CHECK(settledChange(watch, stamp(2, 7), 1.8));
  CHECK_FALSE(settledChange(watch, stamp(2, 7), 9.0));
}

TEST_CASE("file watch: a file that is deleted and written again is one change") {
  FileWatch watch;
  watch.loaded = stamp(1, 10);
  CHECK_FALSE(settledChange(watch, std::nullopt, 0.0));
  CHECK_FALSE(settledChange(watch, std::nullopt, 5.0));
  CHECK_FALSE(settledChange(watch, stamp(6, 12), 6.0));
  CHECK(settledChange(watch, stamp(6, 12), 6.5));
}

TEST_CASE("file watch: stamps tell a rewritten file from the old one") {
  const auto path = std::filesystem::temp_directory_path() / "sinew_watch_test.x";
  std::ofstream(path) << "one";
  FileWatch watch = watchFile(path);
  CHECK_FALSE(settledChange(watch, readStamp(path), 0.0));
  std::ofstream(path) << "longer";
  CHECK_FALSE(settledChange(watch, readStamp(path), 1.0));
  CHECK(settledChange(watch, readStamp(path), 2.0));
  std::filesystem::remove(path);
  CHECK_FALSE(readStamp(path).has_value());
}

} // namespace sinew
