#include "core/error.h"
#include "core/file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace sinew;
namespace fs = std::filesystem;

namespace {

struct TestFolder {
  fs::path path = fs::temp_directory_path() / ("sinew_file_test_" + std::to_string(::getpid()));
  TestFolder() { fs::create_directories(path); }
  ~TestFolder() { fs::remove_all(path); }
};

} // namespace

TEST_CASE("a file that is replaced keeps its mode and its owner") {
  const TestFolder folder;
  const fs::path file = folder.path / "a.txt";
  writeFile(file, "one");
  for (const mode_t mode : {mode_t{0600}, mode_t{0664}, mode_t{0200}}) {
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    if (::geteuid() == 0) REQUIRE(::chown(file.c_str(), 1, 2) == 0);
    writeFile(file, "two");
    struct stat found {};
    REQUIRE(::stat(file.c_str(), &found) == 0);
    CHECK((found.st_mode & 07777) == mode);
    if (::geteuid() == 0) {
      CHECK(found.st_uid == 1);
      CHECK(found.st_gid == 2);
    }
  }
}

TEST_CASE("a write-protected file is not replaced") {
  const TestFolder folder;
  const fs::path file = folder.path / "a.txt";
  writeFile(file, "one");
  REQUIRE(::chmod(file.c_str(), 0444) == 0);
  CHECK_THROWS_AS(writeFile(file, "two"), Error);
  CHECK(readFile(file) == "one");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("behind a link the file is replaced") {
  const TestFolder folder;
  const fs::path file = folder.path / "a.txt", link = folder.path / "link.txt";
  fs::create_symlink("a.txt", link);
  for (const char* text : {"one", "two"}) { // at first the link leads nowhere
    writeFile(link, text);
    CHECK(fs::is_symlink(link));
    CHECK(!fs::is_symlink(file));
    CHECK(readFile(file) == text);
  }
}
