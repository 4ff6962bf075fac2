#include "rig/zone_table.h"

#include "core/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace sinew {

RigZones rigZones(const ZoneTable& table, const Hierarchy& hierarchy, const Rig& rig) {
  RigZones out;
  bool anyZone = false;
  bool anySource = false;
  bool anyMethod = false;
  bool anyTwist = false;
  for (const auto& [name, zone] : table) {
    anyZone = anyZone || zone.min || zone.max || zone.curve;
    anySource = anySource || zone.source;
    anyMethod = anyMethod || !zone.method.empty();
    anyTwist = anyTwist || zone.twist;
  }
  if (anyZone) out.zones = zonesFromWeights(rig, boneAxes(rig));
  if (anySource) out.sources.resize(rig.joints.size());
  if (anyMethod) out.methods.resize(rig.joints.size());
  if (anyTwist) out.twists.resize(rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const auto found = table.find(hierarchy.nodes[rig.joints[j].node].name);
    if (found == table.end()) continue;
    const JointZone& zone = found->second;
    if (zone.min) out.zones[j].min = *zone.min;
    if (zone.max) out.zones[j].max = *zone.max;
    if (zone.curve) out.zones[j].curve = *zone.curve;
    if (zone.source) out.sources[j] = zone.source;
    if (anyMethod) out.methods[j] = zone.method;
    if (zone.twist) out.twists[j] = zone.twist;
  }
  return out;
}

std::string_view toString(ParameterSource source) {
  return source == ParameterSource::zone ? "zone" : "weights";
}

std::string toString(const TwistRange& twist) {
  if (twist.kind == TwistRange::Kind::given) return fmt::format("{}/{}", twist.min, twist.max);
  return twist.kind == TwistRange::Kind::bone ? "bone" : "zone";
}

std::string toString(const BlendCurve& curve) {
  if (curve.kind != BlendCurve::Kind::drawn)
    return curve.kind == BlendCurve::Kind::linear ? "linear" : "smooth";
  std::string text;
  for (const glm::vec2& point : curve.points)
    text += fmt::format("{}{}/{}", text.empty() ? "" : "+", point.x, point.y);
  return text.empty() ? "linear" : text; // the straight one between the ends
}

namespace {

Json curveJson(const BlendCurve& curve) {
  if (curve.kind != BlendCurve::Kind::drawn) return toString(curve);
  Json points = Json::array();
  for (const glm::vec2& point : curve.points)
    points.push_back({point.x, point.y});
  return points;
}

Json twistJson(const TwistRange& twist) {
  if (twist.kind == TwistRange::Kind::given) return Json::array({twist.min, twist.max});
  return toString(twist);
}

} // namespace

std::string zonesToJson(const ZoneTable& table) {
  Json joints = Json::object();
  for (const auto& [name, zone] : table) {
    Json& joint = joints[name] = Json::object();
    if (zone.min) joint["min"] = *zone.min;
    if (zone.max) joint["max"] = *zone.max;
    if (zone.source) joint["source"] = toString(*zone.source);
    if (zone.curve) joint["curve"] = curveJson(*zone.curve);
    if (!zone.method.empty()) joint["method"] = zone.method;
    if (zone.twist) joint["twist"] = twistJson(*zone.twist);
  }
  return Json{{"sinew", "zones"}, {"joints", joints}}.dump(1, ' ', false,
                                                           Json::error_handler_t::replace) +
         "\n";
}

namespace {

float readEnd(const JsonValue& value, bool below) {
  const float end = value.json().is_number() ? value.number() : 0.0f;
  if (below ? end >= 0.0f : end <= 0.0f)
    throw value.mustBe(below ? "a number below 0" : "a number above 0");
  return end;
}

ParameterSource readSource(const JsonValue& value) {
  for (const ParameterSource source : {ParameterSource::weights, ParameterSource::zone})
    if (value.json() == toString(source)) return source;
  throw value.mustBe("\"weights\" or \"zone\"");
}

BlendCurve readCurve(const JsonValue& value) {
  const Json& json = value.json();
  if (json == "linear") return {BlendCurve::Kind::linear};
  if (json == "smooth") return {BlendCurve::Kind::smooth};
  BlendCurve curve{BlendCurve::Kind::drawn};
  const auto isPoint = [](const Json& point) {
    return point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number();
  };
  if (!json.is_array() || !std::ranges::all_of(json, isPoint))
    throw value.mustBe("\"linear\", \"smooth\" or points [[fraction, factor], ...]");
  for (const Json& point : json)
    curve.points.emplace_back(point[0].get<float>(), point[1].get<float>());
  if (const std::string problem = findProblem(curve.points); !problem.empty())
    throw inputError(value.path(), fmt::format("{}: {}", value.name(), problem));
  return curve;
}

TwistRange readTwist(const JsonValue& value) {
  const Json& json = value.json();
  if (json == "zone") return {TwistRange::Kind::zone};
  if (json == "bone") return {TwistRange::Kind::bone};
  // On the command line two ends look like one point of a curve.
  const Json& ends = json.is_array() && json.size() == 1 ? json[0] : json;
  const bool two =
      ends.is_array() && ends.size() == 2 && ends[0].is_number() && ends[1].is_number();
  const float min = two ? ends[0].get<float>() : 0.0f;
  const float max = two ? ends[1].get<float>() : 0.0f;
  if (!std::isfinite(max - min) || min > 0.0f || max < 0.0f || !(min < max))
    throw value.mustBe("\"zone\", \"bone\" or [min, max], min <= 0 <= max, one of them not 0");
  return {TwistRange::Kind::given, min, max};
}

void readZone(JsonObject& object, JointZone& zone) {
  if (const auto value = object.find("min")) zone.min = readEnd(*value, true);
  if (const auto value = object.find("max")) zone.max = readEnd(*value, false);
  if (const auto value = object.find("source")) zone.source = readSource(*value);
  if (const auto value = object.find("curve")) zone.curve = readCurve(*value);
  if (const auto value = object.find("method")) {
    zone.method = value->json().is_string() ? value->text() : "";
    if (zone.method.empty()) throw value->mustBe("a method's name");
  }
  if (const auto value = object.find("twist")) zone.twist = readTwist(*value);
  object.rejectUnknown();
}

std::set<std::string> jointNames(const Model& model) {
  std::set<std::string> names;
  for (const std::uint32_t node : jointNodes(model))
    names.insert(model.hierarchy.nodes[node].name);
  return names;
}

// A number where the text is one, points where it is "0.3/0.1+0.7/0.9", else a word.
Json parseTwist(std::string_view text) {
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
                     "the keys are min, max, source, curve, method and twist");
  const std::string name(text.substr(0, colon));
  const std::set<std::string> known = jointNames(model);
  if (!known.contains(name))
    throw unknownName("joint", name, std::vector<std::string>(known.begin(), known.end()));
  Json given = Json::object();
  for (std::size_t start = colon + 1; start <= text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    const std::size_t at = std::min(word.find('='), word.size());
    given[std::string(word.substr(0, at))] = parseTwist(word.substr(std::min(at + 1, word.size())));
    start = end + 1;
  }
  try {
    JsonObject object(JsonValue(given, "--zone", fmt::format("joint '{}'", name)));
    JointZone zone = table.contains(name) ? table.at(name) : JointZone{};
    readZone(object, zone);
    table[name] = zone;
  } catch (const Error& error) {
    throw usageError(error.what());
  }
}

ZoneTable zonesFromJson(const Model& model, std::string_view text, std::string_view path) {
  const Json json = parseJson(text, path);
  JsonObject object = readDocument(
      json, path, "zones", R"(not a zones file: expected {"sinew": "zones", "joints": {...}})",
      "make them with sinew zones MODEL -o zones.json");
  const std::set<std::string> known = jointNames(model);
  ZoneTable table;
  if (const auto joints = object.find("joints"))
    for (const auto& [name, value] : JsonObject(*joints).members("joint")) {
      if (!known.contains(name))
        throw inputError(path, fmt::format("the model has no joint '{}'", name));
      JsonObject joint(value);
      readZone(joint, table[name]);
    }
  object.rejectUnknown();
  return table;
}

} // namespace sinew
