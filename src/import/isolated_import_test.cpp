#include "demo/random_model.h"
#include "import/import_test_tools.h"
#include "import/isolated_import.h"
#include "model/model_bytes.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sinew;
using namespace sinew::test;

namespace {

Error errorOf(const ModelReader& reader, const IsolationLimits& limits = {}) {
  try {
    readIsolated("some/file.x", reader, {}, limits);
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("no error");
}

constexpr const char* kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

} // namespace

TEST_CASE("isolated import: the model is the one importModel gives") {
  const TempFolder folder;
  const auto path = folder.write("a.obj", kTriangle);
  CHECK(bytesOf(importIsolated(path)) == bytesOf(importModel(path)));
}

TEST_CASE("isolated import: a reader that crashes is an error of the file") {
  for (const int signal : {SIGKILL, SIGSEGV, SIGABRT}) {
    const Error error = errorOf([signal](const ImportProgress&) -> Model {
      std::raise(signal);
      return {};
    });
    CHECK(error.cause() == ErrorCause::input);
    CHECK(contains(error.what(), "some/file.x: the reader crashed"));
  }
  const Error left = errorOf([](const ImportProgress&) -> Model { std::_Exit(0); });
  CHECK(left.cause() == ErrorCause::input);
  CHECK(contains(left.what(), "crashed"));
}

TEST_CASE("isolated import: a reader that hangs is stopped in time") {
  const auto start = std::chrono::steady_clock::now();
  const Error error = errorOf(
      [](const ImportProgress&) -> Model {
        while (true)
          std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      {.seconds = 0.2});
  CHECK(error.cause() == ErrorCause::limit);
  CHECK(contains(error.what(), "not read within 0.2 s"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("isolated import: cancelling stops a reader that ignores it") {
  int asked = 0;
  const ModelReader hangs = [](const ImportProgress&) -> Model {
    while (true)
      std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  CHECK_THROWS_AS(
      readIsolated("file.x", hangs, [&](float, std::string_view) { return ++asked < 3; }, {}),
      Cancelled);
  CHECK(asked == 3);
}

TEST_CASE("isolated import: progress and errors come through") {
  std::vector<std::string> heard;
  const Model model = readIsolated(
      "file.x",
      [](const ImportProgress& progress) {
        progress(0.25f, "half of a half");
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return randomModel(3);
      },
      [&](float fraction, std::string_view what) {
        heard.push_back(std::to_string(fraction) + " " + std::string(what));
        return true;
      },
      {});
  CHECK(bytesOf(model) == bytesOf(randomModel(3)));
  REQUIRE(!heard.empty());
  CHECK(contains(heard.back(), "0.25"));
  CHECK(contains(heard.back(), "half of a half"));
  const Error error = errorOf(
      [](const ImportProgress&) -> Model { throw inputError("f.x", "is odd", "repair it"); });
  CHECK(error.cause() == ErrorCause::input);
  CHECK(std::string(error.what()) == "f.x: is odd; repair it");
}

#ifndef __SANITIZE_ADDRESS__ // reserves more than any limit
TEST_CASE("isolated import: memory beyond the limit is an error of its own kind") {
  const Error error = errorOf(
      [](const ImportProgress&) -> Model {
        std::vector<char> much(std::size_t{1} << 30, 'x');
        Model model;
        model.name.assign(much.begin(), much.begin() + 3);
        return model;
      },
      {.megabytes = 512.0});
  CHECK(error.cause() == ErrorCause::limit);
  CHECK(contains(error.what(), "512 MB"));
}

TEST_CASE("isolated import: what the caller has in memory leaves the limit as it is") {
  const std::vector<char> held(std::size_t{700} << 20, 'x');
  REQUIRE(held.back() == 'x');
  const ModelReader reader = [](const ImportProgress&) {
    std::vector<char> some(std::size_t{200} << 20, 'y');
    Model model;
    model.name.assign(some.begin(), some.begin() + 3);
    return model;
  };
  CHECK(readIsolated("file.x", reader, {}, {.megabytes = 512.0}).name == "yyy");
}
#endif

TEST_CASE("isolated import: a child whose parent is gone ends") {
  const auto statusOf = [](auto&& parentOf) {
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
      endWithParent(parentOf(self));
      ::_exit(42); // it goes on
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  CHECK(statusOf([](pid_t self) { return self; }) == 42);
  // As it is when the parent ended before the call: another process is the parent now.
  CHECK(statusOf([](pid_t self) { return self + 1; }) != 42);
}
