#include "rig/zone_table.h"

#include "core/error.h"
#include "core/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace sinew {

using Json = nlohmann::ordered_json;

RigZones rigZones(const ZoneTable& table, const Hierarchy& hierarchy, const Rig& rig) {
  RigZones out;
  bool anyZone = false;
  bool anySource = false;
  for (const auto& [name, zone] : table) {
    anyZone = anyZone || zone.min || zone.max;
    anySource = anySource || zone.source;
  }
  if (anyZone) out.zones = zonesFromWeights(rig, boneAxes(rig));
  if (anySource) out.sources.resize(rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const auto found = table.find(hierarchy.nodes[rig.joints[j].node].name);
    if (found == table.end()) continue;
    const JointZone& zone = found->second;
    if (zone.min) out.zones[j].min = *zone.min;
    if (zone.max) out.zones[j].max = *zone.max;
    if (zone.source) out.sources[j] = zone.source;
  }
  return out;
}

std::string_view wordOf(ParameterSource source) {
  return source == ParameterSource::zone ? "zone" : "weights";
}

std::string zonesToJson(const ZoneTable& table) {
  Json joints = Json::object();
  for (const auto& [name, zone] : table) {
    Json& joint = joints[name] = Json::object();
    if (zone.min) joint["min"] = *zone.min;
    if (zone.max) joint["max"] = *zone.max;
    if (zone.source) joint["source"] = wordOf(*zone.source);
  }
  return Json{{"sinew", "zones"}, {"joints", joints}}.dump(1, ' ', false,
                                                           Json::error_handler_t::replace) +
         "\n";
}

namespace {

float readEnd(const Json& value, const std::string& where, bool below, std::string_view path) {
  const char* side = below ? "below" : "above";
  const float number = value.is_number() ? value.get<float>() : NAN;
  if (!std::isfinite(number) || (below ? number >= 0.0f : number <= 0.0f))
    throw inputError(path,
                     fmt::format("{} is {}; it must be a number {} 0", where, shown(value), side));
  return number;
}

ParameterSource readSource(const Json& value, const std::string& where, std::string_view path) {
  for (const ParameterSource source : {ParameterSource::weights, ParameterSource::zone})
    if (value == wordOf(source)) return source;
  throw inputError(
      path, fmt::format("{} is {}; it must be \"weights\" or \"zone\"", where, shown(value)));
}

JointZone readJoint(const std::string& name, const Json& json, std::string_view path) {
  if (!json.is_object())
    throw inputError(path, fmt::format("joint '{}' is {}, not an object", name, shown(json)));
  JointZone zone;
  for (const auto& [key, value] : json.items()) {
    const std::string where = fmt::format("'{}' of joint '{}'", key, name);
    if (key == "min")
      zone.min = readEnd(value, where, true, path);
    else if (key == "max")
      zone.max = readEnd(value, where, false, path);
    else if (key == "source")
      zone.source = readSource(value, where, path);
    else
      throw inputError(path, fmt::format("{} is unknown", where), "one of min, max, source");
  }
  return zone;
}

} // namespace

ZoneTable zonesFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  if (!json.is_object() || json.value("sinew", Json()) != "zones")
    throw inputError(path, R"(not a zones file: expected {"sinew": "zones", "joints": {...}})",
                     "make them with sinew zones MODEL -o zones.json");
  std::set<std::string> known;
  for (const std::uint32_t node : jointNodes(model))
    known.insert(model.hierarchy.nodes[node].name);
  ZoneTable table;
  for (const auto& [key, value] : json.items()) {
    if (key == "sinew") continue;
    if (key != "joints") throw inputError(path, fmt::format("'{}' is unknown", key));
    if (!value.is_object()) throw inputError(path, "'joints' is not an object");
    for (const auto& [name, joint] : value.items()) {
      if (!known.contains(name))
        throw inputError(path, fmt::format("the model has no joint '{}'", name));
      table[name] = readJoint(name, joint, path);
    }
  }
  return table;
}

} // namespace sinew
