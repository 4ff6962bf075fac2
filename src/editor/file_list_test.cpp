#include "editor/file_list.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

namespace sinew {
namespace fs = std::filesystem;

TEST_CASE("file list: folders first, only the formats asked for, no hidden files") {
  const fs::path folder = fs::temp_directory_path() / "sinew_list_test";
  fs::remove_all(folder);
  fs::create_directories(folder / "zebra");
  fs::create_directories(folder / ".hidden");
  for (const char* name : {"b.X", "a.fbx", "notes.txt", ".secret.x"})
    std::ofstream(folder / name) << "12345";
  fs::create_symlink(folder / "nowhere", folder / "dangling.x");

  FileFilter filter;
  filter.extensions = {".x", ".fbx"};
  FileList list = listFolder(folder, filter);
  CHECK(list.problem.empty());
  REQUIRE(list.entries.size() == 3);
  CHECK(list.entries[0].name == "zebra");
  CHECK(list.entries[1].name == "a.fbx");
  CHECK(list.entries[2].name == "b.X");
  CHECK(list.entries[2].bytes == 5);

  filter.text = "B";
  CHECK(listFolder(folder, filter).entries.size() == 3); // zebra, a.fbx and b.X all hold a b
  filter.text = "b .x";
  CHECK(listFolder(folder, filter).entries.size() == 1);
  filter = {};
  filter.hidden = true;
  CHECK(listFolder(folder, filter).entries.size() == 6);
  fs::remove_all(folder);
  CHECK_FALSE(listFolder(folder, filter).problem.empty());
}

TEST_CASE("file list: typed paths") {
  ::setenv("HOME", "/home/someone", 1);
  CHECK(typedPath("~/m.x", "/data") == "/home/someone/m.x");
  CHECK(typedPath("~", "/data") == "/home/someone/");
  CHECK(typedPath("sub/../m.x", "/data") == "/data/m.x");
  CHECK(typedPath("/abs/m.x", "/data") == "/abs/m.x");
}

TEST_CASE("file list: sizes and words") {
  CHECK(byteCount(0) == "0 B");
  CHECK(byteCount(999) == "999 B");
  CHECK(byteCount(1440000) == "1.4 MB");
  CHECK(byteCount(7200000000u) == "7.2 GB");
  CHECK(holdsWords("Play or pause", "  PAUSE play "));
  CHECK_FALSE(holdsWords("Play or pause", "play stop"));
  CHECK(holdsWords("anything", ""));
}

} // namespace sinew
