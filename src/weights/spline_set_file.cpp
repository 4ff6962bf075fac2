#include "weights/spline_set_file.h"

#include "core/json_text.h"
#include "weights/weight_lists.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

std::uint32_t ownSpline(const WeightListReader& reader, const Model& model,
                        const std::string& name) {
  const auto found = std::ranges::find(model.splines, name, &FreeSpline::name);
  if (found == model.splines.end())
    throw reader.wrong(fmt::format("the model has no spline '{}'", name));
  return static_cast<std::uint32_t>(found - model.splines.begin());
}

// Puts a spline of the file in the place of the model's own that it is, or after all others.
// Returns its index.
std::size_t take(const WeightListReader& reader, SplineSet& set, SplineSketch sketch) {
  if (!sketch.own) return addSpline(set, std::move(sketch));
  const auto found = std::ranges::find(set.splines, sketch.own, &SplineSketch::own);
  if (found == set.splines.end())
    throw reader.wrong(fmt::format("spline '{}' is left out and placed", sketch.name));
  *found = std::move(sketch);
  return static_cast<std::size_t>(found - set.splines.begin());
}

ReadSpline readSpline(const WeightListReader& reader, const Model& model, const Json& json,
                      std::size_t index) {
  std::string where = fmt::format("spline {}", index);
  if (!json.is_object()) throw reader.wrong(fmt::format("{} is {}", where, shown(json)));
  for (const auto& [key, value] : json.items())
    if (key != "name" && key != "parent" && key != "own" && key != "points" && key != "reach")
      throw reader.wrong(fmt::format("{}: unknown key '{}'", where, key));
  ReadSpline out;
  out.sketch.name = textIn(reader, json, "name", where);
  where = fmt::format("spline '{}'", out.sketch.name);
  if (json.contains("own"))
    out.sketch.own = ownSpline(reader, model, textIn(reader, json, "own", where));
  else
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

// The names that weights are given for.
std::map<std::string, std::uint32_t> indexOfName(const SplineSet& set) {
  std::map<std::string, std::uint32_t> out;
  std::uint32_t next = 0;
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
    out += fmt::format(R"({}{{"name": {}, "{}": {}, "points": [)", comma, name(spline.name),
                       spline.own ? "own" : "parent",
                       name(spline.own ? model.splines[*spline.own].name : spline.parent));
    for (std::size_t i = 0; i < 3; ++i)
      out += fmt::format("{}[{}, {}, {}]", i == 0 ? "" : ", ", spline.points[i].x,
                         spline.points[i].y, spline.points[i].z);
    out += "]}";
    comma = ",\n";
  }
  out += "],\n";
  std::string without;
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    if (std::ranges::find(set.splines, std::optional(s), &SplineSketch::own) == set.splines.end())
      without += (without.empty() ? "" : ", ") + name(model.splines[s].name);
  if (!without.empty()) out += fmt::format("\"without\": [{}],\n", without);
  std::vector<std::string> names;
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
    if (key != "sinew" && key != "splines" && key != "without" && key != "weights_of" &&
        key != "weights")
      throw reader.wrong(fmt::format("unknown key '{}'", key));
  SplineSet set = emptySet(model);
  const Json without = json.value("without", Json::array());
  if (!without.is_array()) throw reader.wrong("'without' is not a list of names");
  for (const Json& each : without) {
    const std::uint32_t own =
        ownSpline(reader, model, each.is_string() ? each.get<std::string>() : shown(each));
    const auto found = std::ranges::find(set.splines, std::optional(own), &SplineSketch::own);
    if (found != set.splines.end())
      removeSpline(set, static_cast<std::size_t>(found - set.splines.begin()));
  }
  std::vector<std::pair<std::size_t, float>> reaches;
  for (const Json& each : json["splines"]) {
    ReadSpline read = readSpline(reader, model, each, reaches.size());
    const bool keepsWeights = read.sketch.own && !each.contains("reach");
    const std::size_t index = take(reader, set, std::move(read.sketch));
    if (!keepsWeights) reaches.emplace_back(index, read.reach);
  }
  if (const std::string problem = problemOf(model, set); !problem.empty())
    throw reader.wrong(problem);
  if (json.contains("weights")) {
    const auto numbers =
        reader.numbered(json.value("weights_of", Json()), "weights_of", "spline", indexOfName(set));
    set.weights = reader.lists(json["weights"], "weights", numbers, vertexCount(model), true);
  } else {
    for (const auto& [index, reach] : reaches)
      bindNear(model, set, index, reach);
  }
  return set;
}

} // namespace sinew
