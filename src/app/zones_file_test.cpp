#include "app/workbench.h"
#include "app/zones_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_files.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sinew;
namespace fs = std::filesystem;

namespace {

// A folder of its own that goes with the test.
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
