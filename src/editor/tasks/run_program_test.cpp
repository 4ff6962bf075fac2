#include "core/error.h"
#include "core/file.h"
#include "editor/tasks/run_program.h"

#include <doctest/doctest.h>

#include <chrono>

namespace sinew {
namespace {

std::string runScript(const std::string& script, const Progress& progress = {}) {
  return runProgram({"/bin/sh", "-c", script}, progress);
}

} // namespace

TEST_CASE("run program: its output, its complaint, and that it cannot be started") {
  CHECK(runScript("echo one; echo two") == "one\ntwo\n");
  CHECK(runScript("cat") == ""); // nothing to read
  // More than a pipe holds, on both at once.
  CHECK(runScript("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; "
                  "echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done")
            .size() == 3000u * 41u);
  CHECK_THROWS_WITH_AS(runScript("echo first >&2; echo 'sinew: a.x: is empty' >&2; exit 3"),
                       "a.x: is empty", Error);
  CHECK_THROWS_WITH_AS(runScript("exit 1"), "/bin/sh: it ended without a result", Error);
  CHECK_THROWS_WITH_AS(runScript("kill -9 $$"), "/bin/sh: it ended without a result", Error);
  CHECK_THROWS_AS(runProgram({"/no/such/program"}, {}), Error);
}

TEST_CASE("run program: it ends at once when it is not wanted any more") {
  const auto start = std::chrono::steady_clock::now();
  int looks = 0;
  CHECK_THROWS_AS(runScript("sleep 600", [&](float, std::string_view) { return ++looks < 3; }),
                  Cancelled);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(300));
}

TEST_CASE("run program: a scratch folder goes with all that is in it") {
  std::filesystem::path path;
  {
    const ScratchFolder folder;
    path = folder.path();
    writeFile(path / "a.txt", "a");
    CHECK(std::filesystem::exists(path / "a.txt"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

} // namespace sinew
