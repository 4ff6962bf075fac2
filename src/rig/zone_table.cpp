#include "rig/zone_table.h"

#include "core/error.h"
#include "core/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace sinew {

using Json = nlohmann::ordered_json;

RigZones rigZones(const ZoneTable& table, const Hierarchy& hierarchy, const Rig& rig) {
  RigZones out;
  bool anyZone = false;
  bool anySource = false;
  bool anyMethod = false;
  for (const auto& [name, zone] : table) {
    anyZone = anyZone || zone.min || zone.max || zone.curve;
    anySource = anySource || zone.source;
    anyMethod = anyMethod || !zone.method.empty();
  }
  if (anyZone) out.zones = zonesFromWeights(rig, boneAxes(rig));
  if (anySource) out.sources.resize(rig.joints.size());
  if (anyMethod) out.methods.resize(rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const auto found = table.find(hierarchy.nodes[rig.joints[j].node].name);
    if (found == table.end()) continue;
    const JointZone& zone = found->second;
    if (zone.min) out.zones[j].min = *zone.min;
    if (zone.max) out.zones[j].max = *zone.max;
    if (zone.curve) out.zones[j].curve = *zone.curve;
    if (zone.source) out.sources[j] = zone.source;
    if (anyMethod) out.methods[j] = zone.method;
  }
  return out;
}

std::string_view wordOf(ParameterSource source) {
  return source == ParameterSource::zone ? "zone" : "weights";
}

std::string textOf(const BlendCurve& curve) {
  if (curve.kind != BlendCurve::Kind::drawn)
    return curve.kind == BlendCurve::Kind::linear ? "linear" : "smooth";
  std::string text;
  for (const glm::vec2& point : curve.points)
    text += fmt::format("{}{}/{}", text.empty() ? "" : "+", point.x, point.y);
  return text.empty() ? "linear" : text; // the straight one between the ends
}

namespace {

Json curveJson(const BlendCurve& curve) {
  if (curve.kind != BlendCurve::Kind::drawn) return textOf(curve);
  Json points = Json::array();
  for (const glm::vec2& point : curve.points)
    points.push_back({point.x, point.y});
  return points;
}

} // namespace

std::string zonesToJson(const ZoneTable& table) {
  Json joints = Json::object();
  for (const auto& [name, zone] : table) {
    Json& joint = joints[name] = Json::object();
    if (zone.min) joint["min"] = *zone.min;
    if (zone.max) joint["max"] = *zone.max;
    if (zone.source) joint["source"] = wordOf(*zone.source);
    if (zone.curve) joint["curve"] = curveJson(*zone.curve);
    if (!zone.method.empty()) joint["method"] = zone.method;
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

BlendCurve readCurve(const Json& value, const std::string& where, std::string_view path) {
  if (value == "linear") return {BlendCurve::Kind::linear};
  if (value == "smooth") return {BlendCurve::Kind::smooth};
  BlendCurve curve{BlendCurve::Kind::drawn};
  const auto isPoint = [](const Json& point) {
    return point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number();
  };
  if (!value.is_array() || !std::ranges::all_of(value, isPoint))
    throw inputError(path, fmt::format("{} is {}; it must be \"linear\", \"smooth\" or points "
                                       "[[fraction, factor], ...]",
                                       where, shown(value)));
  for (const Json& point : value)
    curve.points.emplace_back(point[0].get<float>(), point[1].get<float>());
  if (const std::string problem = problemOf(curve.points); !problem.empty())
    throw inputError(path, fmt::format("{}: {}", where, problem));
  return curve;
}

std::string readMethod(const Json& value, const std::string& where, std::string_view path) {
  if (!value.is_string() || value.get<std::string>().empty())
    throw inputError(path,
                     fmt::format("{} is {}; it must be a method's name", where, shown(value)));
  return value.get<std::string>();
}

void readKey(const std::string& name, const std::string& key, const Json& value,
             std::string_view path, JointZone& zone) {
  const std::string where = fmt::format("'{}' of joint '{}'", key, name);
  if (key == "min")
    zone.min = readEnd(value, where, true, path);
  else if (key == "max")
    zone.max = readEnd(value, where, false, path);
  else if (key == "source")
    zone.source = readSource(value, where, path);
  else if (key == "curve")
    zone.curve = readCurve(value, where, path);
  else if (key == "method")
    zone.method = readMethod(value, where, path);
  else
    throw inputError(path, fmt::format("{} is unknown", where),
                     "one of min, max, source, curve, method");
}

JointZone readJoint(const std::string& name, const Json& json, std::string_view path) {
  if (!json.is_object())
    throw inputError(path, fmt::format("joint '{}' is {}, not an object", name, shown(json)));
  JointZone zone;
  for (const auto& [key, value] : json.items())
    readKey(name, key, value, path, zone);
  return zone;
}

std::set<std::string> jointNames(const Model& model) {
  std::set<std::string> names;
  for (const std::uint32_t node : jointNodes(model))
    names.insert(model.hierarchy.nodes[node].name);
  return names;
}

// A number where the text is one, points where it is "0.3/0.1+0.7/0.9", else a word.
Json valueOf(std::string_view text) {
  const auto number = [](std::string_view digits) -> Json {
    float value = 0.0f;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return {};
    return value;
  };
  if (Json whole = number(text); !whole.is_null()) return whole;
  Json points = Json::array();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('+', start), text.size());
    const std::string_view point = text.substr(start, end - start);
    const std::size_t slash = point.find('/');
    if (slash == std::string_view::npos) return std::string(text);
    points.push_back({number(point.substr(0, slash)), number(point.substr(slash + 1))});
    start = end + 1;
  }
  return points;
}

} // namespace

void readZoneText(const Model& model, std::string_view text, ZoneTable& table) {
  // A joint's name may have colons; it ends where the keys begin.
  const std::size_t equals = text.find('=');
  const std::size_t colon = equals == std::string_view::npos ? equals : text.rfind(':', equals);
  if (colon == std::string_view::npos || colon == 0)
    throw usageError(fmt::format("--zone {}: expected JOINT:KEY=VALUE:...", text),
                     "the keys are min, max, source, curve and method");
  const std::string name(text.substr(0, colon));
  const std::set<std::string> known = jointNames(model);
  if (!known.contains(name))
    throw unknownName("joint", name, std::vector<std::string>(known.begin(), known.end()));
  JointZone zone = table.contains(name) ? table.at(name) : JointZone{};
  for (std::size_t start = colon + 1; start <= text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    const std::size_t at = std::min(word.find('='), word.size());
    const std::string_view value = word.substr(std::min(at + 1, word.size()));
    try {
      readKey(name, std::string(word.substr(0, at)), valueOf(value), "--zone", zone);
    } catch (const Error& error) {
      throw usageError(error.what());
    }
    start = end + 1;
  }
  table[name] = zone;
}

ZoneTable zonesFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  if (!json.is_object() || json.value("sinew", Json()) != "zones")
    throw inputError(path, R"(not a zones file: expected {"sinew": "zones", "joints": {...}})",
                     "make them with sinew zones MODEL -o zones.json");
  const std::set<std::string> known = jointNames(model);
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
