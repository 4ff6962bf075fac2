// Weights of morph targets through all that makes poses.
#include "animation/clip_play.h"
#include "animation/layers/layer_stack.h"
#include "animation/mirror.h"
#include "animation/retarget/motion.h"
#include "core/error.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

// Two targets; one clip moves the first of them linearly from 0 to 1 in two seconds.
Model morphing() {
  Model model = findDemo("arm").make();
  model.morphTargets = {{"smile_L", 0.25f}, {"smile_R", 0.0f}, {"blink", 0.5f}};
  Clip clip{"smile", 2.0f, {}, {}};
  clip.morphs.push_back({0, {{0.0f, 2.0f}, {0.0f, 1.0f}}});
  model.clips.insert(model.clips.begin(), std::move(clip));
  return model;
}

MorphWeights fromPlay(const Model& model, const ClipPlay& play, double time) {
  ClipPlayState state;
  Pose pose;
  sample(model, play, time, state, pose);
  return pose.morphWeights;
}

std::string catchMessage(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("morph weights: a clip moves its targets, the others rest, and loops wrap") {
  const Model model = morphing();
  CHECK(sample(model, model.clips[0], 0.5f).morphWeights == MorphWeights{0.25f, 0.0f, 0.5f});
  CHECK(sample(model, model.clips[1], 0.5f).morphWeights == restWeights(model));
  ClipPlay play{0, {}, RootMotion::keep};
  play.map.wrap = Wrap::loop;
  CHECK(fromPlay(model, play, 2.5)[0] == doctest::Approx(0.25f));
  play.map.wrap = Wrap::pingPong;
  CHECK(fromPlay(model, play, 2.5)[0] == doctest::Approx(0.75f));
  play.map.reversed = true;
  CHECK(fromPlay(model, play, 0.5)[0] == doctest::Approx(0.75f));
  CHECK(bindPose(model).morphWeights == MorphWeights(3, 0.0f));
}

TEST_CASE("morph weights: a cross-fade mixes them as it mixes joints") {
  const Model model = morphing();
  FadingClip before;
  before.play = ClipPlay{0, {}, RootMotion::keep};
  before.seconds = 1.0f;
  before.gone = 0.5f; // half way
  CrossFade fade{before};
  Pose pose = sample(model, model.clips[1], 1.0f);
  applyFade(model, fade, 1.0, pose);
  CHECK(pose.morphWeights[0] == doctest::Approx(0.5f * (0.5f + 0.25f)));
  CHECK(pose.morphWeights[2] == doctest::Approx(0.5f));
}

TEST_CASE("morph weights: layers mix and add them; a masked layer leaves them") {
  const Model model = morphing();
  const auto through = [&](const ClipLayer& clip, float weight, const Mask& mask) {
    LayerStack stack;
    Layer layer;
    layer.kind = clip;
    layer.weight = weight;
    layer.mask = mask;
    stack.layers.push_back(layer);
    LayerStackState state;
    Pose pose = restPose(model);
    pose.morphWeights = {1.0f, 0.25f, 0.0f};
    evaluate(model, stack, state, 1.0, 0.0, pose); // the clip has 0.5 there
    return pose.morphWeights;
  };
  ClipLayer clip;
  clip.clip = "smile";
  CHECK(through(clip, 1.0f, {}) == MorphWeights{0.5f, 0.0f, 0.5f});
  const MorphWeights half = through(clip, 0.5f, {});
  CHECK(half[0] == doctest::Approx(0.75f));
  CHECK(half[2] == doctest::Approx(0.25f));
  CHECK(through(clip, 1.0f, {{"LowerArm", true, 1.0f}}) == MorphWeights{1.0f, 0.25f, 0.0f});
  clip.additive = true; // from the rest weights
  CHECK(through(clip, 1.0f, {})[0] == doctest::Approx(1.25f));
  CHECK(through(clip, 1.0f, {})[1] == doctest::Approx(0.25f));
}

TEST_CASE("morph weights: mirroring exchanges the sides") {
  const Model model = morphing();
  Pose pose = restPose(model);
  pose.morphWeights = {1.0f, 0.25f, 0.75f};
  CHECK(mirrored(model, mirrorMap(model), pose).morphWeights == MorphWeights{0.25f, 1.0f, 0.75f});
}

TEST_CASE("morph weights: a pose's go through JSON, and unknown ones are refused") {
  Model model = morphing();
  model.morphTargets[1].name = "smile_L"; // two of one name
  Pose pose = restPose(model);
  pose.morphWeights = {-0.5f, 2.0f, 0.125f};
  CHECK(poseFromJson(model, poseToJson(model, pose), "p.json").morphWeights == pose.morphWeights);
  CHECK(poseFromJson(model, R"({"sinew": "pose", "nodes": {}})", "p.json").morphWeights ==
        restWeights(model));
  const auto error = [&](const char* morphs) {
    return catchMessage([&] {
      poseFromJson(model,
                   R"({"sinew": "pose", "nodes": {}, "morphs": )" + std::string(morphs) + "}",
                   "p.json");
    });
  };
  CHECK(error(R"({"frown": 1})") == "p.json: the model has no morph target 'frown'");
  CHECK(error(R"({"blink": "much"})") ==
        "p.json: the weight of 'blink' is \"much\"; it must be a number");
  CHECK(error("[]") == "p.json: 'morphs' is [], not an object");
}

TEST_CASE("morph targets: labels tell targets of one name apart, names find all of them") {
  Model model = morphing();
  model.morphTargets = {{"blink", 0}, {"blink", 0}, {"Wide", 0}, {"blink", 0}};
  model.meshes.push_back(model.meshes[0]);
  model.meshes[0].name = "face";
  model.meshes[1].name = "lashes";
  for (std::uint32_t i = 0; i < 2; ++i)
    model.meshes[i].morphs = {{i, {0}, {vec3(1)}, {}}};
  CHECK(morphLabels(model) ==
        std::vector<std::string>{"face/blink", "lashes/blink", "Wide", "blink"});
  const auto targets = [&](std::string_view name) {
    std::vector<std::uint32_t> out;
    for (const MorphPoseWeight& each : findMorphWeights(model, name))
      out.push_back(each.target);
    return out;
  };
  CHECK(targets("blink") == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(targets("lashes/blink") == std::vector<std::uint32_t>{1});
  CHECK(targets("wide") == std::vector<std::uint32_t>{2});
  CHECK(catchMessage([&] { targets("frown"); }) ==
        "unknown morph target 'frown'; one of face/blink, lashes/blink, Wide, blink");
  model.morphTargets.clear();
  CHECK(catchMessage([&] { targets("frown"); }) == "no morph target 'frown': the model has none");
}

TEST_CASE("morph weights: the motion of another file moves targets of the same name") {
  Model model = morphing();
  Model motion = morphing();
  model.clips.clear();
  std::swap(motion.morphTargets[0], motion.morphTargets[2]); // "smile_L" is the last there
  motion.morphTargets[1].name = "frown";
  motion.clips[1].morphs = {{2, {{0.0f, 1.0f}, {0.0f, 1.0f}}}, {1, {{0.0f}, {1.0f}}}};
  motion.clips.erase(motion.clips.begin());
  applyMotion(model, motion);
  REQUIRE(model.clips.at(0).morphs.size() == 1);
  CHECK(model.clips[0].morphs[0].target == 0);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].find("does not have: frown") != std::string::npos);
}
