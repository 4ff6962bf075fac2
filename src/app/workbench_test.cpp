#include "app/workbench.h"
#include "core/error.h"
#include "demo/random_model.h"

#include <doctest/doctest.h>

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
