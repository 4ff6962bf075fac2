#include "animation/layers/layer_stack.h"
#include "animation/random_model.h"
#include "core/error.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

namespace {

// A random rig with two clips of random poses, 1 and 2 seconds long. No joint is farther than 72
// degrees from its rest: poses 180 degrees apart have no shortest path between them.
Model rigWithClips(std::uint64_t seed) {
  Model model = randomModel(seed);
  for (const float seconds : {1.0f, 2.0f}) {
    Clip clip{seconds < 1.5f ? "short" : "long", seconds, {}};
    for (std::uint32_t node = 0; node < model.hierarchy.nodes.size(); ++node)
      clip.channels.push_back({node, {}, {}, {}});
    for (std::uint64_t key = 0; key < 4; ++key) {
      const std::uint64_t any = 10 * seed + key + (seconds < 1.5f ? 0 : 100);
      const Pose pose = blend(restPose(model.hierarchy), randomPose(model, any), 0.4f);
      for (Channel& channel : clip.channels) {
        const Transform& t = pose.parentFromNode[channel.node];
        channel.translation.times.push_back(seconds * static_cast<float>(key) / 3.0f);
        channel.translation.values.push_back(t.translation);
        channel.rotation.times = channel.translation.times;
        channel.rotation.values.push_back(t.rotation);
      }
    }
    model.clips.push_back(clip);
  }
  return model;
}

Layer clipLayer(const char* clip) {
  ClipLayer kind;
  kind.clip = clip;
  return {.name = clip, .mask = {}, .kind = kind};
}

Pose posed(const Model& model, const LayerStack& stack, double time, const Pose& base) {
  LayerStackState state;
  Pose pose = base;
  evaluate(model, stack, state, time, 0.0, pose);
  return pose;
}

// The largest distance of a node between two poses, model space.
float distance(const Model& model, const Pose& a, const Pose& b) {
  const auto fromA = modelFromNodes(model.hierarchy, a);
  const auto fromB = modelFromNodes(model.hierarchy, b);
  float largest = 0.0f;
  for (std::size_t i = 0; i < fromA.size(); ++i)
    for (int column = 0; column < 4; ++column)
      largest = std::max(largest, glm::distance(vec3(fromA[i][column]), vec3(fromB[i][column])));
  return largest;
}

ClipLayer& getClipLayer(Layer& layer) {
  return std::get<ClipLayer>(layer.kind);
}

} // namespace

TEST_CASE(
    "a layer of weight 0, or off, or before its start, is nothing; of weight 1 it is its pose") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model model = rigWithClips(seed);
    const Pose base = randomPose(model, seed + 50);
    Layer layer = clipLayer("short");
    for (const double time : {0.0, 0.31, 0.99, 7.5}) {
      const Pose clip =
          sample(model.hierarchy, model.clips[0], static_cast<float>(time), Wrap::loop);
      CHECK(posed(model, {{layer}}, time, base) == clip);
      Layer none = layer;
      none.weight = 0.0f;
      CHECK(posed(model, {{none}}, time, base) == base);
      none = layer;
      none.on = false;
      CHECK(posed(model, {{none}}, time, base) == base);
      none = layer;
      none.start = 8.0f;
      CHECK(posed(model, {{none}}, time, base) == base);
    }
  }
}

TEST_CASE("half a weight is the blend of the two poses") {
  const Model model = rigWithClips(3);
  const Pose base = randomPose(model, 7);
  Layer layer = clipLayer("long");
  layer.weight = 0.5f;
  const Pose clip = sample(model.hierarchy, model.clips[1], 0.4f);
  CHECK(posed(model, {{layer}}, 0.4, base) == blend(base, clip, 0.5f));
}

TEST_CASE("a mask leaves every other joint unchanged, bit for bit") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model model = rigWithClips(seed);
    const auto& nodes = model.hierarchy.nodes;
    const auto top = static_cast<std::uint32_t>(nodes.size() / 3);
    Layer layer = clipLayer("short");
    layer.mask = {{nodes[top].name, true, 1.0f}, {nodes[1].name, false, 0.5f}};
    const Pose base = randomPose(model, seed);
    const Pose made = posed(model, {{layer}}, 0.5, base);
    const Pose clip = sample(model.hierarchy, model.clips[0], 0.5f);
    std::vector<bool> below(nodes.size(), false);
    std::size_t unmasked = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      below[i] = i == top || (nodes[i].parent != kNoNode && below[nodes[i].parent]);
      if (i == 1) {
        CHECK(made.parentFromNode[i] ==
              interpolate(base.parentFromNode[i], clip.parentFromNode[i], 0.5f));
      } else if (below[i]) {
        CHECK(made.parentFromNode[i] == clip.parentFromNode[i]);
      } else {
        CHECK(made.parentFromNode[i] == base.parentFromNode[i]);
        ++unmasked;
      }
    }
    CHECK(unmasked > 0);
  }
}

TEST_CASE("a difference from the reference is added") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model model = rigWithClips(seed);
    const Pose base = randomPose(model, seed + 9);
    Layer layer = clipLayer("none");
    getClipLayer(layer).additive = true;
    CHECK(posed(model, {{layer}}, 0.5, base) == base); // the rest pose differs in nothing
    getClipLayer(layer).clip = "short";
    getClipLayer(layer).reference = Reference::firstFrame;
    CHECK(distance(model, posed(model, {{layer}}, 0.0, base), base) < 1e-5f);
    CHECK(distance(model, posed(model, {{layer}}, 0.5, base), base) > 1e-2f);
    // Over the reference itself it is the clip.
    const Pose first = sample(model.hierarchy, model.clips[0], 0.0f);
    const Pose clip = sample(model.hierarchy, model.clips[0], 0.5f);
    CHECK(distance(model, posed(model, {{layer}}, 0.5, first), clip) < 1e-5f);
    getClipLayer(layer).reference = Reference::rest;
    CHECK(distance(model, posed(model, {{layer}}, 0.5, restPose(model.hierarchy)), clip) < 1e-5f);
  }
}

TEST_CASE("a known rotation is added in the parent's space") {
  Model model;
  model.hierarchy.nodes = {{"a", kNoNode, {}}, {"b", 0, {{0, 1, 0}, {1, 0, 0, 0}, {1, 1, 1}}}};
  const quat x = glm::angleAxis(0.7f, vec3(1, 0, 0));
  const quat z = glm::angleAxis(0.4f, vec3(0, 0, 1));
  model.clips.push_back({"turn", 1.0f, {{1, {}, {{0.0f}, {z}}, {}}}});
  Layer layer = clipLayer("turn");
  getClipLayer(layer).additive = true;
  Pose base = restPose(model.hierarchy);
  base.parentFromNode[1].rotation = x;
  for (const float weight : {1.0f, 0.25f}) {
    layer.weight = weight;
    const quat expected = glm::angleAxis(0.4f * weight, vec3(0, 0, 1)) * x;
    const quat made = posed(model, {{layer}}, 0.0, base).parentFromNode[1].rotation;
    CHECK(std::abs(glm::dot(made, expected)) > 1.0f - 1e-6f);
  }
}

TEST_CASE("layers come and go smoothly: a cross-fade has no jumps") {
  const Model model = rigWithClips(2);
  Layer first = clipLayer("short");
  Layer second = clipLayer("long");
  second.start = 0.5f;
  second.seconds = 2.0f;
  second.fadeIn = 0.4f;
  second.fadeOut = 0.6f;
  const LayerStack stack{{first, second}};
  const Pose base = restPose(model.hierarchy);
  CHECK(posed(model, stack, 0.5, base) == posed(model, {{first}}, 0.5, base));
  Pose alone = base;
  LayerStackState state;
  evaluate(model, {{clipLayer("long")}}, state, 0.5, 0.0, alone);
  CHECK(posed(model, stack, 1.0, base) == alone); // in full; it began at 0.5
  CHECK(posed(model, stack, 2.6, base) == posed(model, {{first}}, 2.6, base));
  const double step = 1e-3;
  for (double time = 0.45; time < 0.95; time += step) { // where the first clip does not loop
    const Pose a = posed(model, stack, time, base);
    const Pose b = posed(model, stack, time + step, base);
    CHECK(distance(model, a, b) < 0.05f);
  }
}

TEST_CASE("states are only caches: continuous playback and a new state give the same pose") {
  const Model model = rigWithClips(4);
  Layer added = clipLayer("long");
  getClipLayer(added).additive = true;
  getClipLayer(added).speed = -1.5f;
  added.weight = 0.7f;
  added.mask = {{model.hierarchy.nodes[2].name, true, 0.8f}};
  const LayerStack stack{{clipLayer("short"), added}};
  LayerStackState state;
  const Pose base = restPose(model.hierarchy);
  for (int i = 0; i < 100; ++i) {
    const double time = i / 25.0;
    Pose pose = base;
    evaluate(model, stack, state, time, 0.04, pose);
    CHECK(pose == posed(model, stack, time, base));
  }
}

TEST_CASE("what the model does not have is an error that names it") {
  const Model model = rigWithClips(1);
  Layer layer = clipLayer("dance");
  CHECK_THROWS_AS(posed(model, {{layer}}, 0.0, restPose(model.hierarchy)), Error);
  layer = clipLayer("short");
  layer.mask = {{"nobody", true, 1.0f}};
  CHECK_THROWS_AS(posed(model, {{layer}}, 0.0, restPose(model.hierarchy)), Error);
}

TEST_CASE("kinds have words, and theirs are no words of all layers") {
  for (const std::string_view word : kindWords()) {
    const LayerKind kind = parseLayerKind(word);
    CHECK(kindWord(kind) == word);
    std::vector<std::string_view> names{"name", "kind", "mask"};
    const auto collect = [&](const FieldInfo& info, const auto& /*value*/) {
      CHECK(std::find(names.begin(), names.end(), info.name) == names.end());
      CHECK_FALSE(info.help.empty());
      names.push_back(info.name);
    };
    const Layer layer;
    visitFields(layer, collect);
    visitKindFields(kind, collect);
  }
  CHECK_THROWS_AS(parseLayerKind("dance"), Error);
}
