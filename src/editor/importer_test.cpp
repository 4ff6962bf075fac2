#include "app/open_sources.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "editor/importer.h"
#include "export/glb.h"
#include "import/gltf/gltf_test_file.h"

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

TEST_CASE("load: a message falls into file, reason and remedy") {
  MessageParts parts = splitMessage(inputError("/a: b/c.x", "is empty", "export it again").what());
  CHECK(parts.what.find("is empty") != std::string::npos);
  CHECK(parts.remedy == "export it again");
  parts = splitMessage(inputError("c.x", "no such file").what());
  CHECK(parts.file == "c.x");
  CHECK(parts.what == "no such file");
  CHECK(parts.remedy.empty());
  parts = splitMessage("odd");
  CHECK(parts.what == "odd");
  CHECK(parts.file.empty());
}

TEST_CASE(
    "load: an unusable file beside the model is a warning in the window, an error elsewhere") {
  for (const Sidecar* kind : sidecars()) {
    CAPTURE(kind->option);
    const test::TempFolder folder;
    ModelSources sources{.model = (folder.path / "arm.glb").string()};
    writeFile(sources.model, toGlb(findDemo("arm").make()));
    writeFile(sidecarPath(sources.model, *kind), "{");
    CHECK_THROWS_AS(openSources(sources, {}, {}), Error);
    const auto load = [&] { return loadForSession(sources, {})([](auto&&...) { return true; }); };
    const std::string warning = load().workbench.model.warnings.back();
    CHECK(warning.starts_with(kind->without));
    CHECK(warning.find(kind->ending) != std::string::npos);
    sources.*kind->file = "none";
    CHECK(openSources(sources, {}, {}).model.warnings.empty());
    sources.*kind->file = sidecarPath(sources.model, *kind).string(); // as the user names it
    CHECK_THROWS_AS(load(), Error);
  }
}

TEST_CASE("load: the springs of a VRM file are layers in the window, and elsewhere if asked for") {
  test::GltfFile file;
  file.json["nodes"] = nlohmann::ordered_json::parse(R"([
    {"mesh": 0, "name": "root", "children": [1]}, {"name": "hair", "children": [2]},
    {"name": "end", "translation": [0, 1, 0]}])");
  file.json["extensions"]["VRMC_springBone"] = nlohmann::ordered_json::parse(R"({
    "specVersion": "1.0", "springs": [{"name": "tail", "joints": [{"node": 1}, {"node": 2}]}]})");
  const test::TempFolder folder;
  ModelSources sources{.model = folder.write("m.vrm", file.glb()).string()};
  const auto layers = [](const Workbench& workbench) { return workbench.layerStack.layers.size(); };
  const auto inWindow = [&] {
    return layers(loadForSession(sources, {})([](auto&&...) { return true; }).workbench);
  };
  CHECK(inWindow() == 1);
  CHECK(layers(openSources(sources, {}, {})) == 0);
  sources.layers = kOwnLayers;
  CHECK(inWindow() == 1);
  CHECK(layers(openSources(sources, {}, {})) == 1);
  CHECK(openSources(sources, {}, {}).layerStack.layers[0].name == "tail");
  sources.layers = kNoLayers;
  CHECK(inWindow() == 0);
}

TEST_CASE("load: a model is subdivided where the pose it opens in is bent") {
  const auto load = [](float bent, float time) {
    Settings settings;
    settings.clip = "elbow-bend";
    settings.time = time;
    return loadForSession({.model = "demo:arm", .subdivide = {.bent = bent}},
                          settings)([](auto&&...) { return true; })
        .workbench;
  };
  const std::size_t own = vertexCount(load(0.0f, 2.0f).model);
  const Workbench bent = load(20.0f, 2.0f);
  CHECK(vertexCount(bent.model) > own);
  CHECK(insertedVertexCount(bent.model) == vertexCount(bent.model) - own);
  const Workbench straight = load(20.0f, 0.0f);
  CHECK(vertexCount(straight.model) == own);
  CHECK(straight.model.warnings.back().find("bends the skin nowhere") != std::string::npos);
}

} // namespace sinew
