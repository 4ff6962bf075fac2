#include "editor/importer.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace sinew {
namespace {

using std::chrono::milliseconds;

std::optional<Importer::Result> waitFor(Importer& importer) {
  for (int i = 0; i < 2000 && importer.running(); ++i) {
    if (auto result = importer.take()) return result;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return std::nullopt;
}

Imported named(const std::string& name) {
  Imported imported;
  imported.workbench.model.name = name;
  return imported;
}

} // namespace

TEST_CASE("importer: a result is handed over once, and wakes the window") {
  std::atomic<int> woken = 0;
  Importer importer([&] { ++woken; });
  CHECK_FALSE(importer.running());
  importer.start("a.x", [](const ImportProgress& progress) {
    CHECK(progress(0.5f, "half"));
    return named("a");
  });
  const auto result = waitFor(importer);
  REQUIRE(result.has_value());
  CHECK(std::get<Imported>(*result).workbench.model.name == "a");
  CHECK_FALSE(importer.running());
  CHECK_FALSE(importer.take().has_value());
  CHECK(importer.finish(5.0));
  CHECK(woken == 1);
}

TEST_CASE("importer: errors keep their message and their cause") {
  Importer importer;
  importer.start("a.x", [](const ImportProgress&) -> Imported {
    throw Error(ErrorCause::limit, "a.x: too large; split it");
  });
  auto result = waitFor(importer);
  REQUIRE(result.has_value());
  CHECK(std::get<ImportFailure>(*result).message == "a.x: too large; split it");
  CHECK(std::get<ImportFailure>(*result).cause == ErrorCause::limit);

  importer.start("b.x", [](const ImportProgress&) -> Imported { throw std::bad_alloc(); });
  result = waitFor(importer);
  REQUIRE(result.has_value());
  CHECK(std::get<ImportFailure>(*result).cause == ErrorCause::limit);

  importer.start("c.x", [](const ImportProgress&) -> Imported { throw std::runtime_error("odd"); });
  result = waitFor(importer);
  REQUIRE(result.has_value());
  CHECK(std::get<ImportFailure>(*result).message == "c.x: odd");
}

TEST_CASE("importer: cancelling returns at once and yields no result") {
  std::atomic<bool> stopped = false;
  Importer importer;
  importer.start("slow.x", [&](const ImportProgress& progress) -> Imported {
    while (progress(0.1f, "reading"))
      std::this_thread::sleep_for(milliseconds(1));
    stopped = true;
    throw Cancelled();
  });
  CHECK(importer.progress().name == "slow.x");
  importer.cancel();
  CHECK_FALSE(importer.running());
  CHECK_FALSE(importer.take().has_value());
  CHECK(importer.finish(5.0));
  CHECK(stopped);
}

TEST_CASE("importer: another import replaces the one under way, also one that does not listen") {
  std::atomic<bool> release = false;
  Importer importer;
  importer.start("deaf.x", [&](const ImportProgress&) {
    while (!release)
      std::this_thread::sleep_for(milliseconds(1));
    return named("deaf");
  });
  importer.start("b.x", [](const ImportProgress&) { return named("b"); });
  const auto result = waitFor(importer);
  REQUIRE(result.has_value());
  CHECK(std::get<Imported>(*result).workbench.model.name == "b");
  CHECK_FALSE(importer.finish(0.05));
  release = true;
  CHECK(importer.finish(5.0));
  CHECK_FALSE(importer.take().has_value());
}

} // namespace sinew
