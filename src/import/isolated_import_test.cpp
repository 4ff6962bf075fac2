#include "animation/random_model.h"
#include "import/import_test_tools.h"
#include "import/isolated_import.h"
#include "model/model_bytes.h"
#include "process/sandbox.h"
#include "process/unfinished.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <linux/landlock.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sinew;
using namespace sinew::test;

namespace {

Error catchMessage(const ModelReader& reader, const IsolationLimits& limits = {}) {
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
  CHECK(toBytes(importIsolated(path)) == toBytes(importModel(path)));
}

TEST_CASE("isolated import: a reader that crashes is an error of the file") {
  for (const int signal : {SIGKILL, SIGSEGV, SIGABRT}) {
    const Error error = catchMessage([signal](const ImportProgress&) -> Model {
      std::raise(signal);
      return {};
    });
    CHECK(error.cause() == ErrorCause::input);
    CHECK(contains(error.what(), "some/file.x: the reader crashed"));
  }
  const Error left = catchMessage([](const ImportProgress&) -> Model { std::_Exit(0); });
  CHECK(left.cause() == ErrorCause::input);
  CHECK(contains(left.what(), "crashed"));
}

TEST_CASE("isolated import: a reader that hangs is stopped in time") {
  const auto start = std::chrono::steady_clock::now();
  const Error error = catchMessage(
      [](const ImportProgress&) -> Model {
        while (true)
          std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      {.seconds = 0.2});
  CHECK(error.cause() == ErrorCause::limit);
  CHECK(contains(error.what(), "not read within 0.2 s"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(300));
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
  CHECK(toBytes(model) == toBytes(randomModel(3)));
  REQUIRE(!heard.empty());
  CHECK(contains(heard.back(), "0.25"));
  CHECK(contains(heard.back(), "half of a half"));
  const Error error = catchMessage(
      [](const ImportProgress&) -> Model { throw inputError("f.x", "is odd", "repair it"); });
  CHECK(error.cause() == ErrorCause::input);
  CHECK(std::string(error.what()) == "f.x: is odd; repair it");
}

#ifndef SINEW_SANITIZED // reserves more than any limit
TEST_CASE("isolated import: memory beyond the limit is an error of its own kind") {
  const Error error = catchMessage(
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
  const auto readStatus = [](auto&& runParent) {
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
      endWithParent(runParent(self));
      ::_exit(42); // it goes on
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  CHECK(readStatus([](pid_t self) { return self; }) == 42);
  // As it is when the parent ended before the call: another process is the parent now.
  CHECK(readStatus([](pid_t self) { return self + 1; }) != 42);
}

namespace {

// What a reader finds, as the name of its model: the way out that it has.
std::string tried(const std::filesystem::path& path, const std::function<std::string()>& reader) {
  return readIsolated(path,
                      [&](const ImportProgress&) {
                        Model model;
                        model.name = reader();
                        return model;
                      },
                      {}, {})
      .name;
}

bool kernelHasLandlock() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}
bool kernelHasSeccomp() {
  return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

} // namespace

TEST_CASE("sandbox: each part holds, tried from inside") {
  const std::vector<SandboxCheck> checks = probeSandbox();
  CHECK(checks.size() >= 10);
  for (const SandboxCheck& check : checks) {
    if (check.name == "reading elsewhere" && !kernelHasLandlock()) continue;
    if (check.name != "limits" && check.name != "threads" && !kernelHasSeccomp()) continue;
    CHECK_MESSAGE(check.holds, check.name);
  }
}

TEST_CASE("sandbox: a reader opens what lies in the model's folder, and nothing else") {
  const TempFolder folder;
  std::filesystem::create_directories(folder.path / "pack" / "textures");
  std::filesystem::create_directories(folder.path / "named");
  const auto model = folder.write("pack/m.gltf", "m");
  const auto inside = folder.write("pack/textures/t.bin", "inside");
  const auto outside = folder.write("secret.txt", "secret");
  std::filesystem::create_symlink(outside, folder.path / "pack" / "link.bin");
  const auto readText = [](const std::filesystem::path& path) {
    std::string text;
    std::getline(std::ifstream(path), text);
    return text;
  };
  CHECK(tried(model, [&] { return readText(model) + readText(inside); }) == "minside");
  // The user named a link: wherever it leads.
  std::filesystem::create_symlink(model, folder.path / "named" / "m.gltf");
  CHECK(tried(folder.path / "named" / "m.gltf",
              [&] { return readText(folder.path / "named" / "m.gltf"); }) == "m");
  if (!kernelHasLandlock()) return;
  for (const auto& path :
       {outside, folder.path / "pack" / "link.bin", folder.path / "pack" / ".." / "secret.txt",
        std::filesystem::path("/etc/passwd")})
    CHECK_MESSAGE(tried(model, [&] { return readText(path); }).empty(), path.string());
}

TEST_CASE("sandbox: a reader leaves no trace outside its result") {
  if (!kernelHasSeccomp()) return;
  const TempFolder folder;
  const auto model = folder.write("m.obj", kTriangle);
  // What the parent has open is not the reader's.
  const int held = ::open(model.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(held >= 0);
  const std::string result = tried(model, [&] {
    std::string done;
    const auto note = [&](const char* what, bool worked) { done += worked ? what : ""; };
    note("wrote ", static_cast<bool>(std::ofstream(folder.path / "new.txt") << "x"));
    note("overwrote ", ::open(model.c_str(), O_WRONLY) >= 0);
    note("held ", ::write(held, "x", 1) == 1);
    note("removed ", ::unlink(model.c_str()) == 0);
    note("folder ", ::mkdir((folder.path / "new").c_str(), 0700) == 0);
    note("socket ", ::socket(AF_INET, SOCK_STREAM, 0) >= 0);
    note("signal ", ::kill(::getppid(), 0) == 0);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    note("fork ", child > 0);
    std::thread other([&] { note("thread", true); });
    other.join();
    return done;
  });
  CHECK(result == "thread");
  ::close(held);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path),
                      std::filesystem::directory_iterator()) == 1);
}

TEST_CASE("isolated import: processor time beyond the limit is an error of its own kind") {
  const Error error = catchMessage(
      [](const ImportProgress&) -> Model {
        for (volatile int computes = 0;;)
          computes = 1 - computes;
      },
      {.seconds = 300.0, .processorSeconds = 0.0});
  CHECK(error.cause() == ErrorCause::limit);
  CHECK(contains(error.what(), "processor time"));
}

TEST_CASE("isolated import: a child killed at any moment is an error, and leaves nothing") {
  const TempFolder folder;
  const auto path = folder.write("a.obj", kTriangle);
  for (int i = 0; i < 12; ++i) {
    const Error error = catchMessage([i](const ImportProgress& progress) -> Model {
      std::thread killer([i] {
        std::this_thread::sleep_for(std::chrono::microseconds(300 * i));
        std::raise(SIGKILL);
      });
      while (true)
        progress(0.5f, "reading");
    });
    CHECK(error.cause() == ErrorCause::input);
  }
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1); // no child is left
}

TEST_CASE("isolated import: many loads leave no descriptor and no process") {
  const TempFolder folder;
  const auto good = folder.write("a.obj", kTriangle);
  const auto bad = folder.write("b.obj", "f 1 2 3\n");
  const auto descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = descriptors();
  for (int i = 0; i < 30; ++i) {
    CHECK(importIsolated(good).meshes.size() == 1);
    CHECK_THROWS_AS(importIsolated(bad), Error);
    ImportOptions cancelled;
    cancelled.progress = [](float, std::string_view) { return false; };
    CHECK_THROWS_AS(importIsolated(good, cancelled), Cancelled);
  }
  CHECK(descriptors() == before);
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("what is unfinished is removed, when it ends or a signal ends the program") {
  const TempFolder folder;
  const auto file = folder.path / "a.part";
  const auto pictures = folder.path / "frames";
  const auto make = [&] {
    std::filesystem::create_directories(pictures / "inner");
    for (const auto& path : {file, pictures / "1.png", pictures / "inner" / "2.png"})
      std::ofstream(path) << "x";
  };
  {
    const Unfinished first(file);
    const Unfinished second(pictures);
    make();
  }
  CHECK(std::filesystem::is_empty(folder.path));
  {
    Unfinished finished(file);
    make();
    finished.keep();
    const Unfinished other(pictures); // takes the free entry
  }
  CHECK(std::filesystem::exists(file));
  CHECK_FALSE(std::filesystem::exists(pictures));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(signal, SIG_DFL);
      removeUnfinishedAtSignals();
      const Unfinished first(file);
      const Unfinished second(pictures);
      make();
      std::raise(signal);
      ::_exit(1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(std::filesystem::is_empty(folder.path));
  }
}

TEST_CASE("a new folder is removed whenever a signal comes") {
  const TempFolder folder;
  for (int i = 0; i < 40; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGTERM, SIG_DFL);
      removeUnfinishedAtSignals();
      const auto makeMany = [&] {
        while (true)
          const UnfinishedFolder one(folder.path / "frames-XXXXXX");
      };
      std::thread(makeMany).detach();
      makeMany();
    }
    for (int look = 0; look < 10'000 && std::filesystem::is_empty(folder.path); ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(1)); // until it has begun
    std::this_thread::sleep_for(std::chrono::microseconds(137 * i));
    ::kill(child, SIGTERM);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WTERMSIG(status) == SIGTERM);
    REQUIRE(std::filesystem::is_empty(folder.path));
  }
}
