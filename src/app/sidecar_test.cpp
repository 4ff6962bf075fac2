#include "app/open_sources.h"
#include "app/sidecar.h"
#include "app/workbench.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_files.h"
#include "demo/demo.h"
#include "export/glb.h"
#include "weights/weights_file.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sinew;

namespace fs = std::filesystem;

TEST_CASE("weights sidecar: a file far longer than its model can need is refused unread") {
  const test::TempFolder folder;
  Model model = findDemo("arm").make();
  const std::string name = (folder.path / "arm.glb").string();
  std::string text = weightsToJson(model);
  text.resize(sidecarLimit(model) + 1, ' ');
  writeFile(sidecarPath(name, kWeightsSidecar), text);
  try {
    readWeights(model, name, "");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::limit);
    CHECK(std::string(error.what()).find("is longer than") != std::string::npos);
  }
  text.resize(sidecarLimit(model));
  writeFile(sidecarPath(name, kWeightsSidecar), text);
  CHECK(readWeights(model, name, "") == sidecarPath(name, kWeightsSidecar).string());
}

TEST_CASE("sidecars: a damaged one beside the model names the option that ignores it") {
  const test::TempFolder folder;
  ModelSources sources{.model = (folder.path / "arm.glb").string()};
  writeFile(sources.model, toGlb(findDemo("arm").make()));
  for (const Sidecar* kind : sidecars()) {
    CAPTURE(kind->option);
    const fs::path file = sidecarPath(sources.model, *kind);
    writeFile(file, "{");
    const auto message = [&](const OpenOptions& options) {
      try {
        return openSources(sources, {}, options).model.warnings.back();
      } catch (const Error& error) {
        return std::string(error.what());
      }
    };
    CHECK(message({}).ends_with(std::string("; ") + kind->option + " none ignores it"));
    CHECK(message({.skipBadSidecars = true}).starts_with(kind->without));
    sources.*kind->file = file.string(); // asked for
    CHECK(message({.skipBadSidecars = true}).ends_with("none ignores it"));
    sources.*kind->file = "none";
  }
}

TEST_CASE("weights sidecar: the one beside the model, unless another is given, or none") {
  const test::TempFolder folder;
  const Model made = findDemo("arm").make();
  const std::string name = (folder.path / "arm.glb").string();
  const auto read = [&](const std::string& file) {
    Model model = made;
    std::string path = readWeights(model, name, file);
    CHECK(model.warnings.size() == (file.empty() && !path.empty() ? 1 : 0));
    return path;
  };
  CHECK(read("").empty());
  const fs::path beside = folder.path / "arm.weights.json";
  writeFile(beside, weightsToJson(made));
  CHECK(read("") == beside.string());
  CHECK(sidecarPath(name, kWeightsSidecar) == folder.path / "arm.glb.weights.json");
  writeFile(sidecarPath(name, kWeightsSidecar), weightsToJson(made));
  CHECK(read("") == sidecarPath(name, kWeightsSidecar).string());
  CHECK(read(beside.string()) == beside.string());
  CHECK(read("none").empty());
  CHECK_THROWS_AS(read((folder.path / "no.json").string()), Error);
  Model demo = made;
  CHECK(readWeights(demo, "demo:arm", "").empty());
  CHECK(sidecarPath("demo:arm", kWeightsSidecar) == "arm.weights.json");
  CHECK_NOTHROW(checkSidecar(kWeightsSidecar, ""));
  CHECK_NOTHROW(checkSidecar(kWeightsSidecar, "none"));
  CHECK_NOTHROW(checkSidecar(kWeightsSidecar, "a/b.json"));
  CHECK_THROWS_AS(checkSidecar(kWeightsSidecar, "LowerArm"), Error);
}

namespace {

constexpr const char* kZones = R"({"sinew":"zones","joints":{"LowerArm":{"min":-0.125}}})";

} // namespace

TEST_CASE("zones file: the one beside the model, unless another is given") {
  const test::TempFolder folder;
  const Model model = findDemo("arm").make();
  const std::string name = (folder.path / "arm.glb").string();
  CHECK(readZones(model, name, {}).path.empty());
  writeFile(folder.path / "arm.zones.json", kZones);
  CHECK(readZones(model, name, {}).path == (folder.path / "arm.zones.json").string());
  writeFile(folder.path / "arm.glb.zones.json", R"({"sinew":"zones"})");
  CHECK(sidecarPath(name, kZonesSidecar) == folder.path / "arm.glb.zones.json");
  CHECK(readZones(model, name, {}).path == sidecarPath(name, kZonesSidecar).string());
  CHECK(readZones(model, name, {}).table.empty());
  const Zones given = readZones(model, name, (folder.path / "arm.zones.json").string());
  CHECK(given.table.at("LowerArm").min == -0.125f);
  CHECK(readZones(model, name, "none").path.empty());
  CHECK_THROWS_AS(readZones(model, name, (folder.path / "none.json").string()), Error);
}

TEST_CASE("zones file: a generated model reads none by itself") {
  const Model model = findDemo("arm").make();
  CHECK(sidecarPath("demo:arm", kZonesSidecar) == "arm.zones.json");
  CHECK(readZones(model, "demo:arm", {}).path.empty());
}

TEST_CASE("zones reach the binding, and a table that says nothing changes nothing") {
  Settings settings;
  settings.methods = parseMethods("bones-blending");
  settings.parameters = parseParameters("parameter-source=zone");
  const Workbench plain = makeWorkbench(findDemo("arm").make(), settings);
  Zones zones;
  zones.table["LowerArm"] = {};
  const Workbench same = makeWorkbench(findDemo("arm").make(), settings, zones);
  const auto shares = [&](const Workbench& workbench) {
    return findAttribute(workbench.bound.front().binding, "blendFactor").data;
  };
  CHECK(shares(same) == shares(plain));
  zones.table["LowerArm"].min = -0.125f;
  CHECK(shares(makeWorkbench(findDemo("arm").make(), settings, zones)) != shares(plain));
  // For one joint what --set parameter-source=zone is for all.
  settings.parameters.clear();
  zones.table.clear();
  CHECK(shares(makeWorkbench(findDemo("arm").make(), settings)) != shares(plain));
  for (const std::uint32_t node : jointNodes(plain.model))
    zones.table[plain.model.hierarchy.nodes[node].name].source = ParameterSource::zone;
  CHECK(shares(makeWorkbench(findDemo("arm").make(), settings, zones)) == shares(plain));
}
