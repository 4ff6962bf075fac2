#include "app/workbench.h"
#include "core/error.h"
#include "demo/random_model.h"

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

TEST_CASE("a clip that is not finite shows the rest pose and says so once") {
  Workbench bench = makeWorkbench(withClip(std::numeric_limits<float>::infinity()), Settings{});
  evaluate(bench, 1.0f, Wrap::loop);
  evaluate(bench, 1.1f, Wrap::loop);
  CHECK(bench.model.warnings.size() == 1);
  for (const vec4& row : bench.bound.front().palette.rows)
    CHECK(std::isfinite(row.x + row.y + row.z + row.w));
}

TEST_CASE("the heat map of a joint is its weight, and unknown joints are named") {
  const Workbench bench = makeWorkbench(randomModel(2), Settings{});
  const std::uint32_t node = findJoint(bench.model, "joint3");
  const std::vector<float> weights = jointWeights(bench.rig, node);
  float sum = 0.0f;
  for (const std::uint32_t joint : jointNodes(bench.model)) {
    const auto each = jointWeights(bench.rig, joint);
    sum += each[5];
  }
  CHECK(sum == doctest::Approx(1.0f));
  for (const float w : weights)
    CHECK((w >= 0.0f && w <= 1.0f + 1e-6f));
  CHECK_THROWS_AS(findJoint(bench.model, "nobody"), Error);
}

TEST_CASE("a model with nothing in it still has bounds") {
  Model model;
  model.hierarchy.nodes.push_back({"root", kNoNode, {}});
  model.meshes.emplace_back();
  CHECK(posedBounds(makeWorkbench(std::move(model), Settings{})).size() > 0.5f);
}

TEST_CASE("without layers the pose is the clip's, bit for bit, in every wrap") {
  Workbench bench = makeWorkbench(withClip(1), Settings{});
  for (const Wrap wrap : {Wrap::clamp, Wrap::loop, Wrap::pingPong})
    for (const double time : {-0.7, 0.0, 0.31, 1.99, 2.0, 5.3}) {
      evaluate(bench, time, wrap);
      CHECK(bench.pose ==
            sample(bench.model.hierarchy, bench.model.clips[0], static_cast<float>(time), wrap));
    }
}

TEST_CASE("a range is a part of the clip") {
  Settings settings;
  settings.rangeStart = 0.5f;
  settings.rangeEnd = 1.5f;
  Workbench bench = makeWorkbench(withClip(1), settings);
  CHECK(playSeconds(bench, Wrap::loop) == 1.0f);
  CHECK(playSeconds(bench, Wrap::pingPong) == 2.0f);
  evaluate(bench, 1.75, Wrap::loop);
  const Pose expected = sample(bench.model.hierarchy, bench.model.clips[0], 0.75f);
  CHECK(bench.pose == expected);
  settings.rangeEnd = 2.5f;
  CHECK_THROWS_AS(chooseClip(bench, settings), Error);
  CHECK(bench.range.end == 1.5f); // as it was
}

TEST_CASE("a movement's seconds start everything anew") {
  ClipLayer kind;
  kind.clip = "Move";
  kind.additive = true;
  Layer layer;
  layer.kind = kind;
  layer.fadeIn = 0.5f;
  Workbench bench = makeWorkbench(withClip(1), Settings{}, {}, {{layer}, 1.3f});
  CHECK(playSeconds(bench, Wrap::loop) == doctest::Approx(1.3f));
  evaluate(bench, 0.25, Wrap::loop);
  const Pose first = bench.pose;
  evaluate(bench, 0.25 + 1.3, Wrap::loop);
  for (std::size_t i = 0; i < first.parentFromNode.size(); ++i)
    CHECK(glm::distance(first.parentFromNode[i].translation,
                        bench.pose.parentFromNode[i].translation) < 1e-5f);
  CHECK(std::abs(first.parentFromNode[1].translation.x - 0.125f) > 1e-3f); // the layer is there
}

TEST_CASE("a clip that is chosen takes over from the one before without a jump") {
  Model model = withClip(1);
  model.clips.push_back(model.clips[0]);
  model.clips[1].name = "Other";
  model.clips[1].channels[0].translation.values = {vec3(5.0f), vec3(5.0f)};
  Settings settings;
  Workbench bench = makeWorkbench(std::move(model), settings);
  evaluate(bench, 1.0, Wrap::loop);
  const Pose before = bench.pose;
  settings.clip = "Other";
  fadeToClip(bench, settings, 0.0, 1.0, 0.5f);
  evaluate(bench, 0.0, Wrap::loop);
  CHECK(glm::distance(bench.pose.parentFromNode[1].translation,
                      before.parentFromNode[1].translation) < 1e-6f);
  advanceFade(bench.memory.fade, 0.25f);
  evaluate(bench, 0.25, Wrap::loop);
  // Half way, and the one before has gone on to 1.25 s.
  CHECK(bench.pose.parentFromNode[1].translation.x == doctest::Approx(0.5 * (0.625 + 5.0)));
  advanceFade(bench.memory.fade, 0.3f);
  evaluate(bench, 0.55, Wrap::loop);
  CHECK(bench.pose.parentFromNode[1].translation.x == 5.0f);
}
