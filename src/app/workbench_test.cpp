#include "animation/random_model.h"
#include "app/workbench.h"
#include "core/error.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <limits>

using namespace sinew;

namespace {

Model withClip(float key) {
  Model model = randomModel(1);
  Clip clip;
  clip.name = "Move";
  clip.seconds = 2.0f;
  Channel channel;
  channel.node = 1;
  channel.translation = {{0.0f, 2.0f}, {vec3(0.0f), vec3(key, 0.0f, 0.0f)}};
  clip.channels.push_back(channel);
  model.clips.push_back(clip);
  return model;
}

} // namespace

TEST_CASE("clips are chosen by name, without case, by index, and by 'none'") {
  Settings settings;
  CHECK(makeWorkbench(withClip(1), settings).clip == 0u);
  for (const char* word : {"Move", "move", "0"}) {
    settings.clip = word;
    CHECK(makeWorkbench(withClip(1), settings).clip == 0u);
  }
  settings.clip = "none";
  CHECK(!makeWorkbench(withClip(1), settings).clip);
  settings.clip = "1";
  CHECK_THROWS_AS(makeWorkbench(withClip(1), settings), Error);
}

TEST_CASE("the time of a clip's end is its end, also where the clip loops") {
  for (const bool loop : {true, false}) {
    Settings settings;
    settings.loop = loop;
    settings.time = 2.0f;
    CHECK(makeWorkbench(withClip(1), settings).pose.parentFromNode[1].translation.x == 1.0f);
    settings.time = 2.5f;
    const float past = loop ? 0.25f : 1.0f;
    CHECK(makeWorkbench(withClip(1), settings).pose.parentFromNode[1].translation.x ==
          doctest::Approx(past));
  }
}

TEST_CASE("a clip that is not finite shows the rest pose and says so once") {
  Workbench workbench = makeWorkbench(withClip(std::numeric_limits<float>::infinity()), Settings{});
  evaluate(workbench, 1.0f, Wrap::loop);
  evaluate(workbench, 1.1f, Wrap::loop);
  CHECK(workbench.model.warnings.size() == 1);
  for (const vec4& row : workbench.bound.front().palette.rows)
    CHECK(std::isfinite(row.x + row.y + row.z + row.w));
}

TEST_CASE("the heat map of a joint is its weight, and unknown joints are named") {
  const Workbench workbench = makeWorkbench(randomModel(2), Settings{});
  const std::uint32_t node = findJoint(workbench.model, "joint3");
  const std::vector<float> weights = jointWeights(workbench.rig, node);
  float sum = 0.0f;
  for (const std::uint32_t joint : jointNodes(workbench.model)) {
    const auto each = jointWeights(workbench.rig, joint);
    sum += each[5];
  }
  CHECK(sum == doctest::Approx(1.0f));
  for (const float w : weights)
    CHECK((w >= 0.0f && w <= 1.0f + 1e-6f));
  CHECK_THROWS_AS(findJoint(workbench.model, "nobody"), Error);
}

TEST_CASE("bounds: joints far from the mesh do not count, but where there is no mesh") {
  Model model = findDemo("arm").make();
  const Bounds box = posedOutline(makeWorkbench(model, Settings{}));
  Model far = model;
  const auto hand = static_cast<std::uint32_t>(far.hierarchy.nodes.size());
  far.hierarchy.nodes.push_back({"far", hand - 1, {{100.0f, 0.0f, 0.0f}}});
  far.skins.at(0).joints.push_back({hand, mat4(1.0f)});
  const Bounds same = posedOutline(makeWorkbench(far, Settings{}));
  CHECK(same.size() == doctest::Approx(box.size()));
  far.meshes.clear();
  CHECK(posedOutline(makeWorkbench(far, Settings{})).size() > 50.0f);
}

TEST_CASE("a model with nothing in it still has bounds") {
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  model.meshes.emplace_back();
  CHECK(posedOutline(makeWorkbench(std::move(model), Settings{})).size() > 0.5f);
}

TEST_CASE("without layers the pose is the clip's, bit for bit, in every wrap") {
  Workbench workbench = makeWorkbench(withClip(1), Settings{});
  for (const Wrap wrap : {Wrap::clamp, Wrap::loop, Wrap::pingPong})
    for (const double time : {-0.7, 0.0, 0.31, 1.99, 2.0, 5.3}) {
      evaluate(workbench, time, wrap);
      CHECK(workbench.pose == sample(workbench.model.hierarchy, workbench.model.clips[0],
                                     static_cast<float>(time), wrap));
    }
}

TEST_CASE("a range is a part of the clip") {
  Settings settings;
  settings.rangeStart = 0.5f;
  settings.rangeEnd = 1.5f;
  Workbench workbench = makeWorkbench(withClip(1), settings);
  CHECK(playSeconds(workbench, Wrap::loop) == 1.0f);
  CHECK(playSeconds(workbench, Wrap::pingPong) == 2.0f);
  evaluate(workbench, 1.75, Wrap::loop);
  const Pose expected = sample(workbench.model.hierarchy, workbench.model.clips[0], 0.75f);
  CHECK(workbench.pose == expected);
  settings.rangeEnd = 2.5f;
  CHECK_THROWS_AS(chooseClip(workbench, settings), Error);
  CHECK(workbench.range.end == 1.5f); // unchanged
}

TEST_CASE("time restarts after the seconds of a layer stack") {
  ClipLayer kind;
  kind.clip = "Move";
  kind.additive = true;
  Layer layer;
  layer.kind = kind;
  layer.fadeIn = 0.5f;
  Workbench workbench = makeWorkbench(withClip(1), Settings{}, {}, {{layer}, 1.3f});
  CHECK(playSeconds(workbench, Wrap::loop) == doctest::Approx(1.3f));
  evaluate(workbench, 0.25, Wrap::loop);
  const Pose first = workbench.pose;
  evaluate(workbench, 0.25 + 1.3, Wrap::loop);
  for (std::size_t i = 0; i < first.parentFromNode.size(); ++i)
    CHECK(glm::distance(first.parentFromNode[i].translation,
                        workbench.pose.parentFromNode[i].translation) < 1e-5f);
  CHECK(std::abs(first.parentFromNode[1].translation.x - 0.125f) > 1e-3f); // the layer is there
}

TEST_CASE("a clip that is chosen takes over from the one before without a jump") {
  Model model = withClip(1);
  model.clips.push_back(model.clips[0]);
  model.clips[1].name = "Other";
  model.clips[1].channels[0].translation.values = {vec3(5.0f), vec3(5.0f)};
  Settings settings;
  Workbench workbench = makeWorkbench(std::move(model), settings);
  evaluate(workbench, 1.0, Wrap::loop);
  const Pose before = workbench.pose;
  settings.clip = "Other";
  fadeToClip(workbench, settings, 0.0, 1.0, 0.5f);
  evaluate(workbench, 0.0, Wrap::loop);
  CHECK(glm::distance(workbench.pose.parentFromNode[1].translation,
                      before.parentFromNode[1].translation) < 1e-6f);
  advanceFade(workbench.memory.fade, 0.25f);
  evaluate(workbench, 0.25, Wrap::loop);
  // Half way, and the one before has gone on to 1.25 s.
  CHECK(workbench.pose.parentFromNode[1].translation.x == doctest::Approx(0.5 * (0.625 + 5.0)));
  advanceFade(workbench.memory.fade, 0.3f);
  evaluate(workbench, 0.55, Wrap::loop);
  CHECK(workbench.pose.parentFromNode[1].translation.x == 5.0f);
}

namespace {

// A tail that swings behind a clip, its last part over a formula that starts late.
Workbench swinging(float seconds = 0.0f, float start = 0.0f) {
  Layer wag;
  wag.kind = FormulaLayer{.joint = "Joint5", .formula = "40 * sin(2 * pi * t)"};
  Layer swing;
  swing.start = start;
  swing.kind = SpringLayer{.from = "Joint30", .to = "Joint59", .frequency = 1.5f};
  LayerStack layerStack{{wag, swing}, seconds};
  Settings settings;
  if (seconds > 0.0f) settings.clip = "none"; // a clip of another length would jump
  return makeWorkbench(findDemo("tentacle").make(), settings, {}, std::move(layerStack));
}

// The largest distance between the joints of two poses, as a share of the tentacle's length.
float apart(const Workbench& a, const Workbench& b) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.modelFromNode.size(); ++i)
    largest =
        std::max(largest, glm::distance(vec3(a.modelFromNode[i][3]), vec3(b.modelFromNode[i][3])));
  return largest / 1.8f;
}

} // namespace

TEST_CASE("springs: a picture of a moment is that of a film, whatever its frame rate") {
  for (const float start : {0.0f, 0.5f}) {
    CAPTURE(start);
    Workbench still = swinging(0.0f, start);
    still.memory.preRoll = 0.0;
    for (const double rate : {30.0, 24.0, 60.0, 7.0, 144.0}) {
      CAPTURE(rate);
      Workbench film = swinging(0.0f, start);
      const int frames = static_cast<int>(3.0 * rate);
      for (int i = 0; i <= frames; ++i) {
        evaluate(film, i / rate, Wrap::loop);
        if (i % (frames / 4) != 0) continue;
        Workbench picture = swinging(0.0f, start);
        evaluate(picture, i / rate, Wrap::loop);
        CAPTURE(i);
        CHECK(apart(film, picture) < 1e-4f);
        evaluate(picture, i / rate, Wrap::loop); // another look
        CHECK(apart(film, picture) < 1e-4f);
        evaluate(still, 100.0, Wrap::loop);
        evaluate(still, i / rate, Wrap::loop);
        if (i / rate > static_cast<double>(start) + 0.1) CHECK(apart(film, still) > 1e-2f);
      }
    }
  }
}

TEST_CASE("springs: late moments forget how the film began, and every way there is the same") {
  Workbench film = swinging();
  for (int i = 0; i <= 30 * 27; ++i)
    evaluate(film, i / 30.0, Wrap::loop);
  Workbench picture = swinging();
  evaluate(picture, 27.0, Wrap::loop);
  CHECK(apart(film, picture) < 1e-3f);
  evaluate(picture, 3.0, Wrap::loop); // back
  evaluate(picture, 20.0, Wrap::loop);
  evaluate(picture, 27.0, Wrap::loop);
  CHECK(apart(film, picture) < 1e-3f);
  for (const double far : {1e9, 1e17, 1e30, -5.0}) { // no step is that small, and yet it ends
    evaluate(picture, far, Wrap::loop);
    for (const mat4& joint : picture.modelFromNode)
      CHECK(std::isfinite(joint[3].x));
  }
}

TEST_CASE("springs: continue when the layer stack restarts, and under another clip") {
  Workbench workbench = swinging(1.0f);
  Workbench before = workbench;
  float largest = 0.0f;
  for (int i = 1; i <= 360; ++i) {
    evaluate(before, (i - 1) / 120.0, Wrap::loop);
    evaluate(workbench, i / 120.0, Wrap::loop);
    vec3 way(0.0f); // the tip's way, as seen from the spring's root
    for (const auto& [sign, at] : {std::pair(1.0f, &workbench), std::pair(-1.0f, &before)})
      way += sign * vec3(glm::inverse(at->modelFromNode[29]) * at->modelFromNode[59][3]);
    largest = std::max(largest, glm::length(way));
  }
  CHECK(largest < 0.1f);

  Settings settings;
  const double at = 2.5;
  workbench = swinging();
  evaluate(workbench, at, Wrap::loop);
  before = workbench;
  settings.clip = "curl";
  fadeToClip(workbench, settings, 0.0, at, 0.5f);
  evaluate(workbench, 0.0, Wrap::loop);
  const auto bend = [](const Workbench& b) {
    return b.pose.parentFromNode[45].rotation; // by the spring alone while the fade begins
  };
  CHECK(std::abs(glm::dot(bend(workbench), bend(before))) > 0.999f);
}
