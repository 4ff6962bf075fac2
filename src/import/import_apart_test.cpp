#include "demo/random_model.h"
#include "import/import_apart.h"
#include "import/import_test_tools.h"
#include "model/model_bytes.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

using namespace sinew;
using namespace sinew::test;

namespace {

Error errorOf(const ModelReader& reader, const ApartLimits& limits = {}) {
  try {
    readApart("some/file.x", reader, {}, limits);
  } catch (const Error& error) {
    return error;
  }
  return {ExitCode::done, "no error"};
}

constexpr const char* kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

} // namespace

TEST_CASE("import apart: the model is the one importModel gives") {
  const TempFolder folder;
  const auto path = folder.write("a.obj", kTriangle);
  CHECK(bytesOf(importApart(path)) == bytesOf(importModel(path)));
}

TEST_CASE("import apart: a reader that crashes is an error of the file") {
  for (const int signal : {SIGKILL, SIGSEGV, SIGABRT}) {
    const Error error = errorOf([signal](const ImportProgress&) -> Model {
      std::raise(signal);
      return {};
    });
    CHECK(error.code() == ExitCode::input);
    CHECK(contains(error.what(), "some/file.x: the reader crashed"));
  }
  const Error left = errorOf([](const ImportProgress&) -> Model { std::_Exit(0); });
  CHECK(left.code() == ExitCode::input);
  CHECK(contains(left.what(), "crashed"));
}

TEST_CASE("import apart: a reader that never ends is stopped in time") {
  const auto start = std::chrono::steady_clock::now();
  const Error error = errorOf(
      [](const ImportProgress&) -> Model {
        while (true)
          std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      {.seconds = 0.2});
  CHECK(error.code() == ExitCode::limit);
  CHECK(contains(error.what(), "not read within 0.2 s"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("import apart: cancelling stops a reader that does not listen") {
  int asked = 0;
  const ModelReader hangs = [](const ImportProgress&) -> Model {
    while (true)
      std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  CHECK_THROWS_AS(
      readApart("file.x", hangs, [&](float, std::string_view) { return ++asked < 3; }, {}),
      Cancelled);
  CHECK(asked == 3);
}

TEST_CASE("import apart: progress and errors come through") {
  std::vector<std::string> heard;
  const Model model = readApart(
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
  const Error error =
      errorOf([](const ImportProgress&) -> Model { throw inputError("f.x", "is odd", "mend it"); });
  CHECK(error.code() == ExitCode::input);
  CHECK(std::string(error.what()) == "f.x: is odd; mend it");
}

#ifndef __SANITIZE_ADDRESS__ // reserves more than any limit
TEST_CASE("import apart: memory beyond the limit is an error of its own kind") {
  const Error error = errorOf(
      [](const ImportProgress&) -> Model {
        std::vector<char> much(std::size_t{1} << 30, 'x');
        Model model;
        model.name.assign(much.begin(), much.begin() + 3);
        return model;
      },
      {.megabytes = 512.0});
  CHECK(error.code() == ExitCode::limit);
  CHECK(contains(error.what(), "512 MB"));
}
#endif
