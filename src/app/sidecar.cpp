#include "app/sidecar.h"

#include "app/load_model.h"
#include "core/error.h"
#include "core/file.h"
#include "skinning/methods.h"
#include "weights/spline_set_file.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <vector>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoSidecar = "none";

// Says that the file beside the model was read, unless the user named it.
void warnOfSidecar(Model& model, const Sidecar& kind, const std::string& word,
                   std::string_view what, const std::string& path) {
  if (word.empty())
    model.warnings.push_back(
        fmt::format("{} {}, beside the model; {} none ignores them", what, path, kind.option));
}

// The file that the word of the option means: that file; of an empty word the existing one beside
// the model, by the path above or with the model's extension left out (hero.zones.json). Empty:
// none.
std::string sidecarFile(const Sidecar& kind, const std::string& model, const std::string& word) {
  if (word == kNoSidecar) return {};
  if (!word.empty()) return word;
  if (!demoName(model).empty()) return {};
  for (const fs::path& path :
       {sidecarPath(model, kind), fs::path(model).replace_extension().concat(kind.ending)}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

} // namespace

fs::path sidecarPath(const std::string& model, const Sidecar& kind) {
  const std::string demo = demoName(model);
  return fs::path(demo.empty() ? model : demo).concat(kind.ending);
}

void checkSidecar(const Sidecar& kind, const std::string& word) {
  if (word.empty() || word == kNoSidecar || word.ends_with(".json")) return;
  throw usageError(fmt::format("{} '{}': expected FILE.json or none", kind.option, word),
                   &kind == &kWeightsSidecar
                       ? fmt::format("--show weights:{} colours by a joint's weights", word)
                       : std::string());
}

std::uint64_t sidecarLimit(const Model& model) {
  constexpr std::uint64_t kKilobyte = 1024;
  return kKilobyte * (4096 + vertexCount(model) + 16 * model.hierarchy.nodes.size() +
                      model.morphTargets.size() + model.clips.size());
}

std::string readAbout(const Model& model, const fs::path& path) {
  return readFile(path, sidecarLimit(model));
}

std::string readWeights(Model& model, const std::string& name, const std::string& word) {
  std::string path = sidecarFile(kWeightsSidecar, name, word);
  if (path.empty()) return path;
  weightsFromJson(model, readAbout(model, path), path);
  warnOfSidecar(model, kWeightsSidecar, word, "weights are read from", path);
  return path;
}

LaidSplines readSplines(Model& model, const std::string& name, const std::string& word) {
  LaidSplines laid;
  laid.path = sidecarFile(kSplinesSidecar, name, word);
  if (laid.path.empty()) return laid;
  SplineSet set = splinesFromJson(model, readAbout(model, laid.path), laid.path);
  laid.set = std::make_shared<const SplineSet>(std::move(set));
  laid.bare = std::make_shared<const Model>(model);
  putSplines(model, *laid.set);
  warnOfSidecar(model, kSplinesSidecar, word, "free splines are those of", laid.path);
  return laid;
}

ModelDrivers readDrivers(Model& model, const std::string& name, const std::string& word) {
  const std::string path = sidecarFile(kDriversSidecar, name, word);
  if (path.empty()) return {};
  ModelDrivers drivers{driverSetFromJson(model, readAbout(model, path), path), path};
  warnOfSidecar(model, kDriversSidecar, word, "pose drivers are read from", path);
  return drivers;
}

VelocityMap readVelocityMap(Model& model, const std::string& name, const std::string& word) {
  const std::string path = sidecarFile(kVelocitySidecar, name, word);
  if (path.empty()) return {};
  VelocityMap map = velocityMapFromJson(model, readAbout(model, path), path);
  map.path = path;
  warnOfSidecar(model, kVelocitySidecar, word, "velocity skinning's joints and map are read from",
                path);
  return map;
}

std::string splinesIgnored(const Model& model, std::span<const Method* const> chosen) {
  if (model.splines.empty() ||
      std::ranges::any_of(chosen, [](const Method* method) { return method->usesFreeSplines; }))
    return {};
  std::vector<std::string_view> those;
  for (const Method& method : methods())
    if (method.usesFreeSplines) those.push_back(method.name);
  return fmt::format("{} free spline{} ignored: {} bends by joints; {} bend by splines",
                     model.splines.size(), model.splines.size() == 1 ? " is" : "s are",
                     chosen.empty() ? "the method" : chosen.front()->name, fmt::join(those, ", "));
}

Zones readZones(const Model& model, const std::string& name, const std::string& word,
                std::span<const std::string> joints) {
  Zones zones;
  zones.path = sidecarFile(kZonesSidecar, name, word);
  if (!zones.path.empty())
    zones.table = readZoneTable(model, readAbout(model, zones.path), zones.path);
  for (const std::string& text : joints)
    readZoneText(model, text, zones.table);
  checkZoneMethods(zones.table);
  return zones;
}

ZoneTable readZoneTable(const Model& model, std::string_view json, std::string_view path) {
  ZoneTable table = zonesFromJson(model, json, path);
  try {
    checkZoneMethods(table);
  } catch (const Error& error) {
    throw inputError(path, error.what());
  }
  return table;
}

std::string zoneMethodsText(const ZoneTable& table) {
  std::map<std::string, std::vector<std::string>> joints;
  for (const auto& [joint, zone] : table)
    if (!zone.method.empty()) joints[zone.method].push_back(joint);
  if (joints.empty()) return "no joint has a method of its own";
  std::string text;
  for (const auto& [method, names] : joints)
    text += fmt::format("{}{} by {}", text.empty() ? "" : "; ", fmt::join(names, ", "), method);
  return text;
}

void checkZoneMethods(const ZoneTable& table) {
  for (const auto& [joint, zone] : table) {
    if (zone.method.empty()) continue;
    if (findMethod(zone.method).perJoint)
      throw usageError(fmt::format("'method' of joint '{}' is {}, which is not of one joint", joint,
                                   zone.method),
                       "name the method that it is to have there");
  }
}

} // namespace sinew
