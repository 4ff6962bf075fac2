#include "editor/recent_files.h"

#include <doctest/doctest.h>

#include <fstream>

namespace sinew {

TEST_CASE("recent files: newest first, once each, and not without end") {
  std::vector<std::string> recent;
  addRecent(recent, "demo:a");
  addRecent(recent, "demo:b");
  addRecent(recent, "demo:a");
  CHECK(recent == std::vector<std::string>{"demo:a", "demo:b"});
  for (int i = 0; i < 40; ++i)
    addRecent(recent, "demo:" + std::to_string(i));
  CHECK(recent.size() == kRecentFiles);
  CHECK(recent.front() == "demo:39");
}

TEST_CASE("recent files: two ways to name a file are one entry") {
  const auto folder = std::filesystem::temp_directory_path() / "sinew_recent_test";
  std::filesystem::create_directories(folder / "sub");
  std::ofstream(folder / "model.x") << "x";
  std::vector<std::string> recent;
  addRecent(recent, (folder / "model.x").string());
  addRecent(recent, (folder / "sub" / ".." / "model.x").string());
  CHECK(recent.size() == 1);
  CHECK(std::filesystem::path(recent.front()).is_absolute());
  std::filesystem::remove_all(folder);
}

} // namespace sinew
