// Every file of JSON that people may have edited: whatever stands in it, reading it ends in what
// was read or in one line that begins with the file's name.
#include "animation/layers/layer_stack_json.h"
#include "app/settings.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json_text.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "demo/random_model.h"
#include "editor/preferences.h"
#include "physics/fit_ragdoll.h"
#include "physics/ragdoll_config.h"
#include "physics/ragdoll_json.h"
#include "rig/zone_table.h"
#include "weights/weights_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <unistd.h>

using namespace sinew;

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kFile = "f.json";

struct Reader {
  const char* name;
  std::function<void(const std::string& text)> read;
  std::string good;
};

const Model& humanoid() {
  static const Model model = findDemo("humanoid").make();
  return model;
}

// A layer of each kind, with every joint named.
std::string layersOfAllKinds() {
  LayerStack layerStack;
  for (const std::string_view word : kindWords()) {
    Layer layer;
    layer.mask = {{"Head", true, 0.5f}};
    layer.kind = kindOf(word);
    visitFieldsOf(layer.kind, [](const FieldInfo& info, auto& value) {
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
void readWindow(const std::string& text) {
  const fs::path folder = fs::temp_directory_path() / ("sinew-readers-" + std::to_string(getpid()));
  fs::create_directories(folder);
  writeFile(folder / "window.json", text);
  const Preferences memory = readPreferences(folder);
  fs::remove_all(folder);
  if (memory.warnings.empty()) return;
  CHECK(memory.warnings[0].find("json.exception") == std::string::npos);
  throw inputError(kFile, "refused");
}

std::vector<Reader> readers() {
  const Model& model = humanoid();
  static const Model small = randomModel(1); // weights are a line for each vertex
  return {
      {"layers", [&](auto& text) { layerStackFromJson(model, text, kFile); }, layersOfAllKinds()},
      {"pose", [&](auto& text) { poseFromJson(model, text, kFile); },
       poseToJson(model, restPose(model))},
      {"zones", [&](auto& text) { zonesFromJson(model, text, kFile); },
       zonesToJson({{"Head", {-0.1f, 0.2f, ParameterSource::zone}}})},
      {"weights",
       [&](auto& text) {
         Model bound = small;
         weightsFromJson(bound, text, kFile);
       },
       oneWeightEach(small)},
      {"ragdoll", [&](auto& text) { ragdollFromJson(model, text, kFile); },
       ragdollToJson(fitRagdoll(model, buildRig(model)))},
      {"settings", [&](auto& text) { settingsFromJson(text, kFile); }, settingsToJson({})},
      {"window", readWindow,
       R"({"recent": ["a.x"], "window": {"x": 1, "y": 2, "width": 640, "height": 480, "maximized": false}})"},
  };
}

// True if it was read; otherwise the message has been looked at.
bool accepted(const Reader& reader, const std::string& text) {
  try {
    reader.read(text);
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

const std::string kMarker = "\x01";

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
    const std::size_t stride = flat.size() / (test::kThorough ? 40 : 8) + 1;
    std::size_t i = 0;
    for (const auto& item : flat.items()) {
      if (i++ % stride != 0) continue;
      const std::string& place = item.key();
      Json marked = good;
      marked[Json::json_pointer(place)] = kMarker;
      const std::string text = marked.dump();
      const std::string quoted = Json(kMarker).dump();
      for (const std::string& each : nonsense) {
        CAPTURE(place);
        CAPTURE(each.substr(0, 80));
        std::string changed = text;
        changed.replace(changed.find(quoted), quoted.size(), each);
        const bool huge = each.find("e999") != std::string::npos;
        CHECK_FALSE((accepted(reader, changed) && huge));
      }
    }
  }
}
