#include "animation/drivers/driver_set.h"
#include "animation/layers/layer_stack.h"
#include "animation/random_model.h"
#include "animation/sample.h"
#include "bake/bake_run.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "skinning/rebind.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew {
namespace {

Workbench makeMorphWorkbench(Model model, std::string_view method, LayerStack layers = {}) {
  Settings settings;
  settings.methods = parseMethods(method);
  settings.clip = "bind";
  return makeWorkbench(std::move(model), settings, {}, std::move(layers));
}

// A random rig with a clip that moves its joints and, where it has any, its morph targets.
Model modelInMotion(std::uint64_t seed, std::uint32_t targets) {
  Model model = randomModel(seed, {.joints = 6, .vertices = 80, .influences = 3});
  addRandomMorphs(model, targets, seed);
  Random random(seed ^ 0xc11b);
  Clip clip{"clip", 0.5f, {}};
  for (std::uint32_t node = 1; node < model.hierarchy.nodes.size(); ++node) {
    const quat rest = model.hierarchy.nodes[node].rest.rotation;
    const quat end = rest * glm::angleAxis(random.uniform(0.2f, 1.2f), randomDirection(random));
    clip.channels.push_back({node, {}, {{0.0f, 0.5f}, {rest, end}}, {}});
  }
  for (std::uint32_t target = 0; target < targets; ++target)
    clip.morphs.push_back({target, {{0.0f, 0.5f}, {0.0f, 1.0f}}});
  model.clips = {std::move(clip)};
  return model;
}

BakeRunOptions runOptions(std::optional<std::uint32_t> helpers, std::uint32_t morphs) {
  BakeRunOptions options;
  options.bake.poses.clips = {0};
  options.bake.poses.limit = 60;
  options.bake.helpers = helpers;
  options.bake.morphs = morphs;
  options.drivers = false;
  return options;
}

std::vector<vec3> posedAt(const Model& model, const Rig& rig, const Method& method, float time) {
  const Pose pose = sample(model, model.clips[0], time);
  const Binding binding = method.bind(rig, {});
  Palette palette;
  packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette);
  SkinnedMesh out;
  skinMorphed(method, rig, binding, palette, getMorphWeights(model, pose), out);
  return out.positions;
}

// At the frames of its clip, how far the baked model's linear blending is from the target.
double largestInClip(const BakeRun& run) {
  const Workbench& workbench = run.outcome->workbench;
  const Model& baked = run.outcome->model;
  const Rig rig = buildRig(baked);
  float largest = 0.0f;
  const auto frames = static_cast<int>(std::lround(30.0f * baked.clips[0].seconds));
  for (int frame = 0; frame <= frames; ++frame) {
    const float time = static_cast<float>(frame) / 30.0f;
    const auto ours = posedAt(baked, rig, findMethod("lbs"), time);
    const auto wanted =
        posedAt(workbench.model, workbench.rig, *workbench.bound.front().method, time);
    for (std::size_t v = 0; v < ours.size(); ++v)
      largest = std::max(largest, glm::distance(ours[v], wanted[v]));
  }
  return static_cast<double>(largest / run.outcome->result.problem.size);
}

} // namespace

TEST_CASE("bake: corrective shapes take errors away, and the model with them is what was measured" *
          doctest::skip(test::kSanitized)) {
  const std::vector<const char*> methods{"dqs", "bones-blending", "arc-spline"};
  for (int seed = 0; seed < test::rounds(9, 3); ++seed) {
    const Model model = modelInMotion(static_cast<std::uint64_t>(seed), seed % 2 == 0 ? 0 : 2);
    const Workbench workbench =
        makeMorphWorkbench(model, methods[static_cast<std::size_t>(seed) % 3]);
    const std::uint32_t helpers = seed % 2 == 0 ? 0 : 2;
    const BakeRun run = runBake(workbench, runOptions(helpers, 4));
    CHECK(run.morphs >= 1);
    CHECK(run.morphs <= 4);
    for (std::size_t i = 1; i < run.curve.size(); ++i) {
      CHECK(run.curve[i].error.mean <= run.curve[i - 1].error.mean);
      CHECK(run.curve[i].error.largest <= run.curve[i - 1].error.largest);
    }
    CHECK(run.heldOut.mean < runBake(workbench, runOptions(helpers, 0)).heldOut.mean);
    const Model& baked = run.outcome->model;
    for (const MorphChannel& channel : baked.clips[0].morphs)
      if (channel.target >= model.morphTargets.size())
        for (const float weight : channel.weight.values) {
          CHECK(weight >= 0.0f);
          CHECK(weight <= 1.0f);
        }
    CHECK(baked.morphTargets.size() == model.morphTargets.size() + run.morphs);
    REQUIRE(run.clips);
    CHECK(std::abs(largestInClip(run) - run.clips->largest) < 1e-4);
    // The same on every call, to the last bit.
    CHECK(runBake(workbench, runOptions(helpers, 4)).glb == run.glb);
  }
}

TEST_CASE("bake: a model's morph targets and layers are part of the target") {
  for (int seed = 0; seed < test::rounds(6, 2); ++seed) {
    Model model = modelInMotion(100u + static_cast<std::uint64_t>(seed), 3);
    model.clips.push_back(model.clips[0]);
    model.clips[1].name = "other";
    for (Channel& channel : model.clips[1].channels)
      std::ranges::reverse(channel.rotation.values);
    const LayerStack layers = layerStackFromJson(
        model,
        R"({"sinew": "layers", "layers": [{"kind": "clip", "clip": "other", "weight": 0.5}]})",
        "l.json");
    const BakeRun linear = runBake(makeMorphWorkbench(model, "lbs", layers), runOptions({}, 0));
    CHECK(linear.helpers == 0);
    CHECK(linear.clips->largest < 1e-5);
    // At its end the clip is halfway to the other, which begins there.
    const Clip& played = linear.outcome->model.clips[0];
    CHECK(played.name == "clip");
    const Pose end = sample(linear.outcome->model, played, played.seconds);
    for (std::uint32_t node = 1; node < model.hierarchy.nodes.size(); ++node) {
      const quat& start = model.hierarchy.nodes[node].rest.rotation;
      const quat& whole = model.clips[0].channels[node - 1].rotation.values.back();
      CHECK(angleBetween(end.parentFromNode[node].rotation, start) ==
            doctest::Approx(0.5f * angleBetween(whole, start)).epsilon(1e-2));
    }

    const BakeRun run = runBake(makeMorphWorkbench(model, "dqs", layers), runOptions(2, 0));
    CHECK(std::abs(largestInClip(run) - run.clips->largest) < 1e-4);
    CHECK(run.heldOut.mean <= run.linear.mean);
  }
}

TEST_CASE("bake: drivers weigh corrective shapes, also in poses that no clip has") {
  Settings settings;
  settings.methods = parseMethods("arc-spline");
  settings.clip = "bind";
  Workbench workbench = makeWorkbench(findDemo("arm").make(), settings);
  BakeRunOptions options = runOptions(0, 2);
  options.bake.poses.limit = 80;
  options.drivers = true;
  const BakeRun run = runBake(workbench, options);
  REQUIRE(run.helperDrivers);
  REQUIRE(run.helperDrivers->shapes.size() == run.morphs);
  REQUIRE(run.morphs >= 1);
  const double allowed = run.heldOut.largest + static_cast<double>(options.bake.tolerance);
  const double inClips =
      std::max(allowed,
               run.clips ? run.clips->largest + static_cast<double>(options.bake.tolerance) : 0.0) +
      1e-9;
  Model baked = run.outcome->model;
  const ModelDrivers drivers{driverSetFromJson(baked, driversJson(run, 1.0f), "d.json"), {}};
  std::size_t on = 0;
  for (const HelperDriver& shape : run.helperDrivers->shapes) {
    on += shape.driver.on ? 1 : 0;
    if (!shape.driver.on) CHECK(shape.driven > allowed);
    if (shape.driver.on) CHECK(shape.driven <= inClips);
    REQUIRE(shape.driver.morphs.size() == 1);
    for (const DriverKey& key : std::get<RbfDriver>(shape.driver.kind).keys) {
      CHECK(key.morphs[0] >= 0.0f);
      CHECK(key.morphs[0] <= 1.0f);
    }
  }
  REQUIRE(on >= 1);
  CHECK(run.helperDrivers->error.largest <= allowed);
  CHECK(run.helperDrivers->error.mean < run.linear.mean);

  // The file, in a pose of its own: half of what the clip reaches.
  const PreparedDrivers prepared(baked, drivers.set.drivers);
  const Pose end =
      sample(workbench.model, workbench.model.clips[0], 0.5f * workbench.model.clips[0].seconds);
  Pose pose = restPose(baked);
  const Pose rest = pose;
  for (std::size_t node = 0; node < end.parentFromNode.size(); ++node) {
    quat& rotation = pose.parentFromNode[node].rotation;
    rotation = glm::slerp(rotation, end.parentFromNode[node].rotation, 0.8f);
  }
  const auto computeDistance = [&](const Pose& posed) {
    const Rig rig = buildRig(baked);
    const auto fitShape = [&](const Method& method, const Model& model, const Rig& of,
                              const Binding& binding, const MorphWeights& weights) {
      Palette palette;
      packPalette(method, of, binding, modelFromNodes(model.hierarchy, posed), palette);
      SkinnedMesh out;
      skinMorphed(method, of, binding, palette, weights, out);
      return out.positions;
    };
    const Method& linear = findMethod("lbs");
    const auto ours =
        fitShape(linear, baked, rig, linear.bind(rig, {}), getMorphWeights(baked, posed));
    const BoundMethod& target = workbench.bound.front();
    const auto wanted =
        fitShape(*target.method, workbench.model, workbench.rig, target.binding, {});
    double sum = 0.0;
    for (std::size_t v = 0; v < ours.size(); ++v)
      sum += static_cast<double>(glm::distance(ours[v], wanted[v]));
    return sum;
  };
  const double still = computeDistance(pose);
  prepared.apply(baked, pose);
  CHECK(getMorphWeights(baked, pose) != getMorphWeights(baked, rest));
  CHECK(computeDistance(pose) < 0.8 * still);
}

TEST_CASE("bake: the views show what the file holds, with morph targets and corrective shapes") {
  const std::vector<const char*> methods{"dqs", "arc-spline", "bones-blending"};
  for (int seed = 0; seed < test::rounds(9, 3); ++seed) {
    CAPTURE(seed);
    const auto targets = static_cast<std::uint32_t>(seed) % 3;
    const BakeRun run =
        runBake(makeMorphWorkbench(modelInMotion(700u + static_cast<std::uint64_t>(seed), targets),
                                   methods[static_cast<std::size_t>(seed / 3) % 3]),
                runOptions(1, 2));
    REQUIRE(run.morphs > 0);
    const auto skin = std::make_shared<const BakedSkin>(bakedSkin(run.outcome));
    const Method shown = bakedMethod(skin);
    Settings settings;
    settings.methods = {{&findMethod("lbs")}, {&shown}};
    settings.clip = "bind";
    Workbench workbench = makeWorkbench(run.outcome->workbench.model, settings);
    const Model& baked = run.outcome->model;
    const Method& linear = findMethod("lbs");
    const Binding binding = linear.bind(skin->rig, {.influences = kBakeInfluences});
    float largest = 0.0f, bent = 0.0f, moved = 0.0f;
    for (const int frame : {3, 15, 0, 9}) { // back too: nothing is left of the frame before
      const float time = static_cast<float>(frame) / 30.0f;
      holdPose(workbench, sample(workbench.model, workbench.model.clips[0], time));
      const SkinnedMesh here = skinOnCpu(workbench, workbench.bound[1]);
      const Pose pose = sample(baked, baked.clips[0], time);
      Palette palette;
      packPalette(linear, skin->rig, binding, modelFromNodes(baked.hierarchy, pose), palette);
      SkinnedMesh there;
      skinMorphed(linear, skin->rig, binding, palette, getMorphWeights(baked, pose), there);
      const std::vector<float>& weights = workbench.bound[1].standIn->morphed.weights;
      REQUIRE(weights.size() == targets + run.morphs);
      for (std::size_t k = targets; k < weights.size(); ++k)
        moved = std::max(moved, weights[k]);
      for (std::size_t v = 0; v < here.positions.size(); ++v) {
        largest = std::max(largest, glm::distance(here.positions[v], there.positions[v]));
        bent = std::max(bent, glm::distance(here.normals[v], there.normals[v]));
      }
    }
    CHECK(moved > 0.01f);
    CHECK(largest < 2e-6f * run.outcome->result.problem.size);
    CHECK(bent < 1e-5f);
  }
}

} // namespace sinew
