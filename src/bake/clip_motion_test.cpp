#include "animation/sample.h"
#include "bake/bake.h"
#include "bake/baked_model.h"
#include "bake/clip_motion.h"
#include "bake/test_support.h"
#include "core/test_effort.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The largest angle by which a joint turns from one key to the next, radians. nodes: from this one.
float largestRotation(const Clip& clip, std::uint32_t nodes) {
  float least = 1.0f;
  for (const Channel& channel : clip.channels)
    for (std::size_t i = 1; channel.node >= nodes && i < channel.rotation.values.size(); ++i) {
      const float cosine = glm::dot(channel.rotation.values[i - 1], channel.rotation.values[i]);
      CHECK(cosine >= 0.0f); // the shorter way
      least = std::min(least, cosine);
    }
  return 2.0f * std::acos(least);
}

} // namespace

TEST_CASE("bake: helpers do not jump between keys, and no moment is worse than linear blending" *
          doctest::skip(test::kSanitized)) {
  struct JumpCase {
    const char* demo;
    const char* clip;
    const char* method;
  };
  for (const JumpCase& each :
       {JumpCase{"arm", "bend-and-twist", "arc-spline"}, JumpCase{"humanoid", "wave", "dqs"},
        JumpCase{"humanoid", "wave", "arc-spline"},
        JumpCase{"arm", "elbow-twist", "dqs"}}) { // half a turn exactly: either way
    CAPTURE(std::string(each.demo));
    CAPTURE(std::string(each.method));
    const Model model = findDemo(each.demo).make();
    const std::uint32_t index = findClip(model, each.clip);
    Workbench workbench = test::makeBakeWorkbench(model, each.method);
    BakeOptions options;
    options.poses.clips = {index};
    options.poses.limit = 100;
    const BakeResult result = bake(workbench, options);
    REQUIRE(!result.problem.helpers.empty());
    const BakedClips baked = bakedModel(result, {index}, 30.0);
    const auto nodes = static_cast<std::uint32_t>(model.hierarchy.nodes.size());
    CHECK(largestRotation(baked.model.clips[0], nodes) < 0.8f);
    const BakedClipErrors& errors = baked.clips.at(0);
    CHECK(errors.excess <= 0.005);
    CHECK(errors.between.largest <= 0.005);
    // What is reported is what the written clip does, half way between two keys too.
    const Rig rig = buildRig(baked.model);
    const std::vector<float> times = motionTimes(model.clips[index], 30.0);
    double largest = 0.0;
    for (std::size_t i = 0; i + 1 < times.size(); i += 3) {
      const float time = 0.5f * (times[i] + times[i + 1]);
      const Pose pose = sample(baked.model, baked.model.clips[0], time);
      const std::vector<mat4> ours = modelFromNodes(baked.model.hierarchy, pose);
      holdPose(workbench, sample(model, model.clips[index], time));
      evaluate(workbench, 0.0, Wrap::clamp);
      const SkinnedMesh target = skinOnCpu(workbench, workbench.bound.front());
      for (std::uint32_t v = 0; v < rig.positions.size(); ++v)
        largest = std::max(largest, static_cast<double>(glm::distance(
                                        test::byInfluences(rig, ours, v), target.positions[v])) /
                                        static_cast<double>(result.problem.size));
    }
    CHECK(largest <= errors.between.largest + 1e-5);
  }
}

TEST_CASE("bake: a moment that misses what the keys beside it meet gets a key, however far linear "
          "blending is off" *
          doctest::skip(test::kSanitized)) {
  Model model = findDemo("arm").make();
  const std::uint32_t elbow = findNode(model.hierarchy, "LowerArm").value();
  const quat rest = model.hierarchy.nodes[elbow].rest.rotation;
  const quat bent = rest * glm::angleAxis(2.6f, glm::normalize(vec3(1.0f, 1.0f, 0.5f)));
  // The joint eases in and out, as its helpers' keys do not.
  const quat still(0.0f, 0.0f, 0.0f, 0.0f);
  Channel channel{elbow, {}, {{0.0f, 1.0f}, {rest, bent}, Interpolation::cubic}, {}};
  channel.rotation.tangents = {{still, still}, {still, still}};
  model.clips = {{"bend", 1.0f, {channel}}};
  const std::uint32_t index = 0;
  const Workbench workbench = test::makeBakeWorkbench(model, "dqs");
  BakeOptions options;
  options.poses.clips = {index};
  options.poses.limit = 100;
  const BakeResult result = bake(workbench, options);
  const double none = 1.0; // an error that is never reached
  const double fps = 2.0;
  const BakedClipErrors sparse = bakedModel(result, {index}, fps, none).clips.at(0);
  REQUIRE(sparse.between.largest > 1.2 * sparse.atKeys.largest);
  REQUIRE(sparse.between.largest < sparse.linear.largest);
  const double tolerance = 0.5 * (sparse.between.largest + sparse.atKeys.largest);
  const BakedClipErrors dense = bakedModel(result, {index}, fps, tolerance).clips.at(0);
  CHECK(dense.between.largest <= tolerance);
  CHECK(dense.keys > sparse.keys);
  CHECK(dense.keys < 2 * sparse.keys);
}

TEST_CASE("bake: keys are at all of the joints' own keys, and as dense as asked") {
  Clip clip{"clip", 1.0f, {}};
  const quat q(1, 0, 0, 0);
  clip.channels.push_back({0, {}, {{0.0f, 0.01f, 0.02f, 1.0f}, {q, q, q, q}}, {}});
  clip.channels.push_back(
      {1, {{0.25f, 0.5f}, {vec3(0.0f), vec3(1.0f)}, Interpolation::step}, {}, {}});
  const std::vector<float> times = motionTimes(clip, 30.0);
  for (const float key : {0.0f, 0.01f, 0.02f, 0.25f, 0.5f, 1.0f, std::nextafter(0.5f, 0.0f)})
    CHECK(std::find(times.begin(), times.end(), key) != times.end());
  for (std::size_t i = 1; i < times.size(); ++i) {
    CHECK(times[i] > times[i - 1]);
    CHECK(times[i] - times[i - 1] < 1.0f / 30.0f + 1e-4f);
  }
  CHECK(times.size() < 45);
}

} // namespace sinew
