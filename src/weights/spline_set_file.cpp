#include "weights/spline_set_file.h"

#include "core/json_text.h"
#include "weights/weight_lists.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kIgnoreSplines = "--splines none ignores it";

std::string textIn(const WeightListReader& reader, const Json& json, const char* key,
                   const std::string& where) {
  if (!json.contains(key) || !json[key].is_string())
    throw reader.wrong(fmt::format("{}: '{}' is missing or not a name", where, key));
  return json[key].get<std::string>();
}

float numberIn(const WeightListReader& reader, const Json& json, const std::string& where) {
  const float number = json.is_number() ? json.get<float>() : NAN;
  if (!std::isfinite(number))
    throw reader.wrong(fmt::format("{}: {} is not a number", where, shown(json)));
  return number;
}

struct ReadSpline {
  SplineSketch sketch;
  float reach = 0.0f;
};

ReadSpline readSpline(const WeightListReader& reader, const Json& json, std::size_t index) {
  std::string where = fmt::format("spline {}", index);
  if (!json.is_object()) throw reader.wrong(fmt::format("{} is {}", where, shown(json)));
  for (const auto& [key, value] : json.items())
    if (key != "name" && key != "parent" && key != "points" && key != "reach")
      throw reader.wrong(fmt::format("{}: unknown key '{}'", where, key));
  ReadSpline out;
  out.sketch.name = textIn(reader, json, "name", where);
  where = fmt::format("spline '{}'", out.sketch.name);
  out.sketch.parent = textIn(reader, json, "parent", where);
  const Json points = json.value("points", Json());
  if (!points.is_array() || points.size() != 3)
    throw reader.wrong(fmt::format("{}: 'points' are not three points", where));
  for (std::size_t i = 0; i < 3; ++i) {
    if (!points[i].is_array() || points[i].size() != 3)
      throw reader.wrong(
          fmt::format("{}: point {} is {}, not [x, y, z]", where, i + 1, shown(points[i])));
    for (std::size_t k = 0; k < 3; ++k)
      out.sketch.points[i][static_cast<int>(k)] = numberIn(reader, points[i][k], where);
  }
  out.reach = usualReach(out.sketch);
  if (json.contains("reach")) out.reach = numberIn(reader, json["reach"], where);
  if (!(out.reach > 0.0f) && json.contains("reach"))
    throw reader.wrong(fmt::format("{}: 'reach' is not above 0", where));
  return out;
}

// The names that weights are given for: the model's own splines and those of the set.
std::map<std::string, std::uint32_t> indexOfName(const Model& model, const SplineSet& set) {
  std::map<std::string, std::uint32_t> out;
  std::uint32_t next = 0;
  for (const FreeSpline& spline : model.splines)
    out.emplace(spline.name, next++);
  for (const SplineSketch& spline : set.splines)
    out.emplace(spline.name, next++);
  return out;
}

} // namespace

std::string splinesToJson(const Model& model, const SplineSet& set) {
  const auto name = [](const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string out = "{\"sinew\": \"splines\", \"splines\": [";
  const char* comma = "\n";
  for (const SplineSketch& spline : set.splines) {
    out += fmt::format(R"({}{{"name": {}, "parent": {}, "points": [)", comma, name(spline.name),
                       name(spline.parent));
    for (std::size_t i = 0; i < 3; ++i)
      out += fmt::format("{}[{}, {}, {}]", i == 0 ? "" : ", ", spline.points[i].x,
                         spline.points[i].y, spline.points[i].z);
    out += "]}";
    comma = ",\n";
  }
  out += "],\n";
  std::vector<std::string> names = splineNames(model);
  for (const SplineSketch& spline : set.splines)
    names.push_back(spline.name);
  appendWeightLists(out, "weights_of", names, "weights", set.weights);
  return out + "}\n";
}

SplineSet splinesFromJson(const Model& model, std::string_view text, std::string_view path) {
  const WeightListReader reader{path, kIgnoreSplines};
  const Json json = parseJson(text, path, kIgnoreSplines);
  if (!json.is_object() || json.value("sinew", Json()) != "splines" ||
      !json.value("splines", Json()).is_array())
    throw reader.wrong(R"(not a file of splines: expected {"sinew": "splines", "splines": [...]})");
  for (const auto& [key, value] : json.items())
    if (key != "sinew" && key != "splines" && key != "weights_of" && key != "weights")
      throw reader.wrong(fmt::format("unknown key '{}'", key));
  SplineSet set = emptySet(model);
  std::vector<float> reaches;
  for (const Json& each : json["splines"]) {
    ReadSpline read = readSpline(reader, each, reaches.size());
    addSpline(set, std::move(read.sketch));
    reaches.push_back(read.reach);
  }
  if (const std::string problem = problemOf(model, set); !problem.empty())
    throw reader.wrong(problem);
  if (json.contains("weights")) {
    const auto numbers = reader.numbered(json.value("weights_of", Json()), "weights_of", "spline",
                                         indexOfName(model, set));
    set.weights = reader.lists(json["weights"], "weights", numbers, vertexCount(model), true);
  } else {
    for (std::size_t i = 0; i < reaches.size(); ++i)
      bindNear(model, set, i, reaches[i]);
  }
  return set;
}

} // namespace sinew
