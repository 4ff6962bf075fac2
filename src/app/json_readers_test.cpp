// Every file of JSON that people may have edited: whatever stands in it, reading it ends in what
// was read or in one line that begins with the file's name.
#include "animation/drivers/driver_set.h"
#include "animation/layers/layer_stack.h"
#include "animation/random_model.h"
#include "animation/retarget/motion_map.h"
#include "app/settings.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "core/test_files.h"
#include "demo/test_support.h"
#include "editor/preferences.h"
#include "physics/fit_ragdoll.h"
#include "physics/ragdoll_config.h"
#include "rig/zone_table.h"
#include "weights/reference_weights.h"
#include "weights/spline_set_file.h"
#include "weights/weights_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <unistd.h>

using namespace sinew;

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kFile = "f.json";

struct Reader {
  const char* name;
  std::function<std::string(const std::string& text)> read; // reads the text, and writes the result
  std::string good;
};

// A layer of each kind, with every joint named.
std::string layersOfAllKinds() {
  LayerStack layerStack;
  for (const std::string_view word : kindWords()) {
    Layer layer;
    layer.mask = {{"Head", true, 0.5f}};
    layer.kind = parseLayerKind(word);
    visitKindFields(layer.kind, [](const FieldInfo& info, auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
        if (info.of == FieldInfo::Of::clip) value = "walk";
        if (info.of != FieldInfo::Of::joint) return;
        value = info.name == "from" || info.name == "root" ? "RightUpperArm"
                : info.name == "to" || info.name == "tip"  ? "RightHand"
                                                           : "RightLowerArm";
      } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<vec2>>) {
        value = {{0.5f, 0.25f}};
      }
    });
    layerStack.layers.push_back(layer);
  }
  return layerStackToJson(layerStack);
}

std::string oneWeightEach(const Model& model) {
  Json lists = Json::array();
  for (std::size_t v = 0; v < buildRig(model).positions.size(); ++v)
    lists.push_back(Json::array({Json::array({0, 1.0})}));
  const std::string& joint = model.hierarchy.nodes[jointNodes(model)[0]].name;
  return Json{{"joints", {joint}}, {"weights", lists}}.dump();
}

// The window's place has no reader of its own: what it says is a warning.
std::string readWindow(const std::string& text) {
  const fs::path folder = fs::temp_directory_path() / ("sinew-readers-" + std::to_string(getpid()));
  fs::create_directories(folder);
  writeFile(folder / "window.json", text);
  const Preferences memory = readPreferences(folder);
  fs::remove_all(folder);
  if (memory.warnings.empty()) return {};
  CHECK(memory.warnings[0].find("json.exception") == std::string::npos);
  throw inputError(kFile, "refused");
}

// Calls a reader of files with the text in a file.
template <class Read>
std::string readFrom(const std::string& text, const Read& read) {
  const test::TempFolder folder;
  try {
    return read(folder.write(kFile, text));
  } catch (const Error& error) { // the file's name without its folder
    const std::string message = error.what();
    throw Error(error.cause(), message.substr(message.find(kFile)));
  }
}

std::string readMap(const std::string& text) {
  return readFrom(text, [](const fs::path& path) { return motionMapText(readMotionMap(path)); });
}

std::string readReference(const std::string& text) {
  return readFrom(text, [](const fs::path& path) {
    const ReferenceWeights read = readReferenceWeights(path);
    Json weights = Json::array();
    for (std::size_t v = 0; v < read.influences.vertexCount(); ++v)
      for (const Influence& influence : read.influences.of(v))
        weights.push_back(influence.weight);
    return weights.dump();
  });
}

// One of each kind, with every number that a driver has.
const char* const kDrivers = R"({"sinew": "drivers", "drivers": [
{"name": "elbow", "on": true, "kind": "rbf",
 "inputs": [{"joint": "LeftLowerArm", "part": "swing", "axis": [0, 1, 0]}],
 "joints": ["LeftHand"], "morphs": [], "falloff": "gaussian", "normalize": "above-one", "radius": 0,
 "smoothing": 0, "keys": [{"name": "bent", "rotations": [[0, 0, 0, 1]], "joints": [
  {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}], "morphs": []}]},
{"name": "half", "kind": "twist", "input": {"joint": "LeftLowerArm", "axis": [0, 1, 0]},
 "share": 0.5, "joints": ["LeftHand"]}], "shapes": []})";

std::string makeSplinesText(const Model& model) {
  Json splines = Json::array();
  splines.push_back({{"name", "one"},
                     {"parent", model.hierarchy.nodes[0].name},
                     {"points", {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 2.0, 0.5}}},
                     {"reach", 0.5}});
  return Json{{"sinew", "splines"}, {"splines", splines}}.dump();
}

std::vector<Reader> readers() {
  const Model& model = test::humanoid();
  static const Model small = randomModel(1); // weights are a line for each vertex
  return {
      {"layers",
       [&](auto& text) { return layerStackToJson(layerStackFromJson(model, text, kFile)); },
       layersOfAllKinds()},
      {"pose", [&](auto& text) { return poseToJson(model, poseFromJson(model, text, kFile)); },
       poseToJson(model, restPose(model))},
      {"zones", [&](auto& text) { return zonesToJson(zonesFromJson(model, text, kFile)); },
       zonesToJson({{"Head", {-0.1f, 0.2f, ParameterSource::zone}}})},
      {"weights",
       [&](auto& text) {
         Model bound = small;
         weightsFromJson(bound, text, kFile);
         return weightsToJson(bound);
       },
       oneWeightEach(small)},
      {"ragdoll", [&](auto& text) { return ragdollToJson(ragdollFromJson(model, text, kFile)); },
       ragdollToJson(fitRagdoll(model, buildRig(model)))},
      {"drivers",
       [&](auto& text) {
         Model driven = model;
         return driverSetToJson(driverSetFromJson(driven, text, kFile));
       },
       kDrivers},
      {"splines",
       [&](auto& text) { return splinesToJson(small, splinesFromJson(small, text, kFile)); },
       makeSplinesText(small)},
      {"reference weights", readReference,
       R"({"joints": ["a", "b"], "weights": [[[0, 0.5], [1, 0.5]], [[1, -1], [0, 1]]]})"},
      {"motion map", readMap, R"({"joints": {"a": "b", "c": null}, "offsets": {"a": [1, 2, 3]}})"},
      {"settings", [&](auto& text) { return settingsToJson(settingsFromJson(text, kFile)); },
       settingsToJson({})},
      {"window", readWindow,
       R"({"recent": ["a.x"], "window": {"x": 1, "y": 2, "width": 640, "height": 480, "maximized": false}})"},
  };
}

// Numbers that are not finite would be written as null.
bool isFinite(const Json& json, bool nullAllowed) {
  if (json.is_structured())
    return std::all_of(json.begin(), json.end(),
                       [&](const Json& each) { return isFinite(each, nullAllowed); });
  if (json.is_number()) return std::abs(json.get<double>()) <= std::numeric_limits<float>::max();
  return !json.is_null() || nullAllowed;
}

// True if it was read; otherwise the message has been looked at.
bool accepted(const Reader& reader, const std::string& text) {
  try {
    const std::string written = reader.read(text);
    const bool nullAllowed = std::string_view(reader.name) == "motion map"; // nothing moves it
    CHECK((written.empty() || isFinite(parseJson(written, "written again"), nullAllowed)));
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    INFO(message);
    CHECK(error.cause() == ErrorCause::input);
    CHECK(message.starts_with(std::string(kFile) + ": "));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.find("json.exception") == std::string::npos);
    CHECK(message.size() < 2500);
    return false;
  }
}

// The document with the value at `place` replaced by a text, valid JSON or not.
std::string replaced(const Json& good, const std::string& place, const std::string& by) {
  const std::string marker = "\x01";
  Json marked = good;
  marked[Json::json_pointer(place)] = marker;
  std::string text = marked.dump();
  const std::string quoted = Json(marker).dump();
  return text.replace(text.find(quoted), quoted.size(), by);
}

} // namespace

TEST_CASE("JSON readers: what they write they read; what is none of theirs they refuse in a line") {
  const std::string deep(100000, '[');
  const std::string texts[] = {"",
                               "{",
                               "]",
                               "null",
                               "7",
                               "[]",
                               "\"pose\"",
                               "1e999",
                               "[-1e999]",
                               R"({"sinew": 1e999})",
                               R"({"sinew": [[[{"sinew": {}}]]]})",
                               R"({"sinew": NaN})",
                               "{\"sinew\": \"\xff\xfe\"}",
                               "\xef\xbb\xbf",
                               deep,
                               R"({"sinew": )" + deep,
                               std::string("{\"a\": \"\0\"}", 10)};
  for (const Reader& reader : readers()) {
    CAPTURE(reader.name);
    CHECK(accepted(reader, reader.good));
    for (const std::string& text : texts) {
      CAPTURE(text.substr(0, 80));
      CHECK_FALSE(accepted(reader, text));
    }
  }
}

TEST_CASE("JSON readers: nonsense in the place of any value is read or refused in a line") {
  const std::string nonsense[] = {"1e999",
                                  "-1e999",
                                  "1e308",
                                  "-1e308",
                                  "1e38",
                                  "1e-320",
                                  "18446744073709551615",
                                  "99999999999999999999999",
                                  "0",
                                  "-1",
                                  "0.5",
                                  "null",
                                  "true",
                                  "\"\"",
                                  "\"nobody\"",
                                  "\"a\\nb\\u0000\"",
                                  "[]",
                                  "[[[]]]",
                                  "[0,0,0]",
                                  "[0,0,0,0]",
                                  "[1e30,1e30,1e30]",
                                  "{}",
                                  R"({"a":{"b":[1e308]}})",
                                  '"' + std::string(5000, 'x') + '"'};
  for (const Reader& reader : readers()) {
    CAPTURE(reader.name);
    const Json good = parseJson(reader.good, kFile);
    const Json flat = good.flatten();
    const std::size_t stride = flat.size() / (test::kThorough ? 20 : 8) + 1;
    std::size_t i = 0;
    for (const auto& item : flat.items()) {
      if (i++ % stride != 0) continue;
      const std::string& place = item.key();
      for (const std::string& each : nonsense) {
        CAPTURE(place);
        CAPTURE(each.substr(0, 80));
        const bool huge = each.find("e999") != std::string::npos;
        CHECK_FALSE((accepted(reader, replaced(good, place, each)) && huge));
      }
    }
  }
}

TEST_CASE("JSON readers: no number is beyond a float, and none is a text") {
  const std::string numbers[] = {"1e39",
                                 "-1e39",
                                 "3.4e38",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "18446744073709551616",
                                 "4294967296",
                                 "-2147483649",
                                 "\"1\""};
  Random random(16);
  for (const Reader& reader : readers()) {
    CAPTURE(reader.name);
    const Json good = parseJson(reader.good, kFile);
    std::vector<std::string> places;
    const Json flat = good.flatten();
    for (const auto& item : flat.items())
      if (item.value().is_number()) places.push_back(item.key());
    REQUIRE(!places.empty());
    for (int i = 0; i < test::rounds(300, 12); ++i) {
      const std::string& place = places[random.below(static_cast<std::uint32_t>(places.size()))];
      const bool limited = place.starts_with("/window"); // to a place on a screen
      CAPTURE(place);
      for (const std::string& each : numbers) {
        CAPTURE(each);
        const bool taken = accepted(reader, replaced(good, place, each));
        CHECK_FALSE((taken && each.starts_with('"')));
        CHECK_FALSE((taken && !limited && each.find("e39") != std::string::npos));
      }
    }
  }
}
