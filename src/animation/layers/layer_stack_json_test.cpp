#include "animation/layers/layer_stack.h"
#include "animation/random_model.h"
#include "core/error.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinew;

namespace {

Model layeredModel() {
  Model model = randomModel(1);
  model.clips.push_back({"wave", 2.0f, {}});
  return model;
}

// The message of reading it; empty where it is well.
std::string problem(const std::string& text) {
  try {
    layerStackFromJson(layeredModel(), text, "m.json");
  } catch (const Error& error) {
    CHECK(error.cause() == ErrorCause::input);
    return error.what();
  }
  return {};
}

std::string withLayer(const std::string& fields) {
  return R"({"sinew": "layers", "layers": [{"name": "a", "kind": "clip", "clip": "wave")" + fields +
         "}]}";
}

bool says(const std::string& message, std::initializer_list<const char*> parts) {
  CAPTURE(message);
  bool all = true;
  for (const char* part : parts)
    all = all && message.find(part) != std::string::npos;
  CHECK(all);
  return all;
}

} // namespace

TEST_CASE("a clip that a file names by its index is that clip from then on") {
  Model model = layeredModel();
  const auto parseClipLayer = [&](const std::string& word) {
    const std::string text =
        R"({"sinew": "layers", "layers": [{"kind": "clip", "clip": ")" + word + R"("}]})";
    const LayerStack stack = layerStackFromJson(model, text, "m.json");
    return std::get<ClipLayer>(stack.layers.at(0).kind).clip;
  };
  const std::string last = std::to_string(model.clips.size() - 1);
  CHECK(parseClipLayer(last) == "wave");
  CHECK(parseClipLayer("WAVE") == "wave");
  CHECK(parseClipLayer("none") == "none");
  model.clips.push_back({"wave", 1.0f, {}});
  CHECK(parseClipLayer(std::to_string(model.clips.size() - 1)) ==
        std::to_string(model.clips.size() - 1));
}

TEST_CASE("a layer stack written and read is the same") {
  LayerStack stack;
  stack.seconds = 3.5f;
  Layer layer{.name = "w\"ink",
              .on = false,
              .weight = 0.3f,
              .mask = {{"joint1", false, 0.25f}, {"joint2", true, 1.0f}},
              .start = 1.0f,
              .seconds = 2.0f,
              .fadeIn = 0.1f,
              .fadeOut = 0.2f,
              .kind = {}};
  ClipLayer clip;
  clip.clip = "wave";
  clip.speed = -1.5f;
  clip.offset = 0.25f;
  clip.map = {0.5f, 1.5f, Wrap::pingPong, true, Ease::smooth, {{0.1f, 0.7f}, {0.3f, 0.7f}}};
  clip.root = RootMotion::accumulate;
  clip.additive = true;
  clip.reference = Reference::firstFrame;
  layer.kind = clip;
  stack.layers = {layer,
                  Layer{.name = {}, .mask = {}, .kind = ClipLayer{.clip = "none", .map = {}}}};
  CHECK(layerStackFromJson(layeredModel(), layerStackToJson(stack), "m.json") == stack);
}

TEST_CASE("what is left out has its default, and a mask may name joints alone") {
  const LayerStack stack = layerStackFromJson(
      layeredModel(), withLayer(R"(, "mask": ["joint3", {"joint": "joint4", "weight": 0}])"),
      "m.json");
  REQUIRE(stack.layers.size() == 1);
  Layer expected{.name = "a", .mask = {{"joint3", true, 1.0f}, {"joint4", true, 0.0f}}, .kind = {}};
  std::get<ClipLayer>(expected.kind).clip = "wave";
  CHECK(stack.layers[0] == expected);
}

TEST_CASE("nonsense is refused by name, with a remedy") {
  says(problem("{"), {"m.json", "JSON"});
  says(problem("[]"), {"m.json", "layers"});
  says(problem(R"({"sinew": "pose", "nodes": {}})"), {"layers"});
  says(problem(R"({"sinew": "layers", "layers": [], "speed": 1})"), {"'speed'", "seconds"});
  says(problem(R"({"sinew": "layers", "layers": [1]})"), {"layer 1"});
  says(problem(R"({"sinew": "layers", "layers": [{}]})"), {"layer 1", "kind", "clip"});
  says(problem(R"({"sinew": "layers", "layers": [{"kind": "dance"}]})"), {"dance", "one of clip"});
  says(problem(R"({"sinew": "layers", "layers": [{"kind": "clip"}]})"), {"'clip'"});
  says(problem(withLayer(R"(, "wieght": 1)")), {"layer 1 ('a')", "'wieght'", "weight"});
  says(problem(withLayer(R"(, "weight": 2)")), {"'weight' is 2", "0 to 1"});
  says(problem(withLayer(R"(, "weight": "much")")), {"'weight'", "number"});
  says(problem(withLayer(R"(, "weight": 1e999)")), {"m.json"});
  says(problem(withLayer(R"(, "on": 1)")), {"'on'", "true or false"});
  says(problem(withLayer(R"(, "wrap": "spin")")), {"'wrap'", "clamp, loop, ping-pong"});
  says(problem(withLayer(R"(, "mask": [{"joint": "tail"}])")), {"'mask'", "tail"});
  says(problem(withLayer(R"(, "mask": [{"weight": 1}])")), {"'mask'", "joint"});
  says(problem(withLayer(R"(, "mask": [{"joint": "joint1", "weight": 3}])")), {"weight", "0 to 1"});
  says(problem(withLayer(R"(, "warp": [[0.5, 0.9], [0.6, 0.1]])")), {"'warp'", "rise"});
  says(problem(withLayer(R"(, "begin": 1, "end": 0.5)")), {"'begin'", "2 s"});
  says(problem(withLayer(R"(, "end": 5)")), {"'end'", "2 s"});
}
