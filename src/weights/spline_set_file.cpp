#include "weights/spline_set_file.h"

#include "core/json_reader.h"
#include "weights/weight_lists.h"
#include "weights/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

struct ReadSpline {
  SplineSketch sketch;
  float reach = 0.0f;
  bool keepsWeights = false; // the model's, of its own spline
};

std::uint32_t ownSpline(const Model& model, const JsonValue& name) {
  const auto found = std::ranges::find(model.splines, name.text(), &FreeSpline::name);
  if (found == model.splines.end())
    throw name.wrong(fmt::format("is '{}', which is no spline of the model", name.text()));
  return static_cast<std::uint32_t>(found - model.splines.begin());
}

// Puts a spline of the file in the place of the model's own that it is, or after all others.
// Returns its index.
std::size_t take(SplineSet& set, SplineSketch sketch, const JsonValue& value) {
  if (!sketch.own) return addSpline(set, std::move(sketch));
  const auto found = std::ranges::find(set.splines, sketch.own, &SplineSketch::own);
  if (found == set.splines.end()) throw value.wrong("is left out and placed");
  *found = std::move(sketch);
  return static_cast<std::size_t>(found - set.splines.begin());
}

ReadSpline readSpline(const Model& model, JsonObject& object) {
  ReadSpline out;
  SplineSketch& sketch = out.sketch;
  sketch.name = object.at("name").text();
  if (const auto own = object.find("own"))
    sketch.own = ownSpline(model, *own);
  else
    sketch.parent = object.at("parent").text();
  const JsonValue points = object.at("points");
  const std::vector<JsonValue> three = points.elements("point", object.value().name());
  if (three.size() != sketch.points.size()) throw points.mustBe("three points");
  for (std::size_t i = 0; i < three.size(); ++i)
    sketch.points[i] = three[i].vector();
  if (const auto reach = object.find("reach")) {
    out.reach = reach->number();
    if (!(out.reach > 0.0f)) throw reach->wrong("is not above 0");
  } else {
    out.reach = usualReach(sketch);
    out.keepsWeights = sketch.own.has_value();
  }
  object.rejectUnknown();
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
  const Json json = parseJson(text, path);
  JsonObject file =
      readDocument(json, path, "splines",
                   R"(not a file of splines: expected {"sinew": "splines", "splines": [...]})");
  SplineSet set = emptySet(model);
  for (const JsonValue& name : file.list("without", "name")) {
    const std::uint32_t own = ownSpline(model, name);
    const auto found = std::ranges::find(set.splines, std::optional(own), &SplineSketch::own);
    if (found != set.splines.end())
      removeSpline(set, static_cast<std::size_t>(found - set.splines.begin()));
  }
  std::vector<std::pair<std::size_t, float>> reaches;
  for (const JsonValue& each : file.at("splines").elements("spline", "")) {
    JsonObject object(each);
    ReadSpline read = readSpline(model, object);
    const std::size_t index = take(set, std::move(read.sketch), each);
    if (!read.keepsWeights) reaches.emplace_back(index, read.reach);
  }
  if (const std::string problem = findProblem(model, set); !problem.empty())
    throw file.wrong(problem);
  if (const auto weights = file.find("weights")) {
    const auto numbers = readNames(file.at("weights_of"), "spline", indexOfName(set));
    set.weights = readWeightLists(*weights, numbers, vertexCount(model), true);
  } else {
    file.find("weights_of"); // allowed, but without weights it says nothing
    for (const auto& [index, reach] : reaches)
      bindNear(model, set, index, reach);
  }
  file.rejectUnknown();
  return set;
}

} // namespace sinew
