#include "animation/random_model.h"
#include "app/clip_bounds.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

bool inside(const Bounds& inner, const Bounds& outer, float tolerance) {
  const vec3 slack(tolerance);
  return glm::all(glm::greaterThanEqual(inner.min, outer.min - slack)) &&
         glm::all(glm::lessThanEqual(inner.max, outer.max + slack));
}

vec3 middleOfJoints(const Workbench& workbench) {
  Bounds box;
  for (const std::uint32_t node : jointNodes(workbench.model))
    box.include(vec3(workbench.modelFromNode[node][3]));
  return box.empty() ? vec3(0.0f) : box.center();
}

// At random times the model is in the box, seen by a camera that follows; and all of the box is
// needed by some moment.
void checkClip(Workbench& workbench, Random& random) {
  const Bounds box = outlineOverClip(workbench, Wrap::loop);
  const vec3 start = middleOfJoints(workbench);
  CHECK(inside(posedOutline(workbench), box, 1e-5f));
  Bounds used = posedOutline(workbench);
  const TimeMap range = playedRange(workbench, Wrap::loop);
  const std::uint32_t joint = jointNodes(workbench.model).back();
  const Bounds jointBox = jointOverClip(workbench, Wrap::loop, joint, box.size());
  for (int i = 0; i < 20; ++i) {
    evaluate(workbench, static_cast<double>(random.uniform(range.begin, range.end)), Wrap::loop);
    const vec3 away = followed(middleOfJoints(workbench) - start, box.size());
    Bounds posed = posedOutline(workbench);
    posed = {posed.min - away, posed.max - away};
    used.include(posed);
    CHECK(inside(posed, box, 0.03f * box.size()));
    const vec3 at = vec3(workbench.modelFromNode[joint][3]) - away;
    CHECK(inside({at, at}, jointBox, 0.03f * box.size()));
  }
  CHECK(used.size() > 0.8f * box.size());
}

} // namespace

TEST_CASE("clip bounds: the model stays in the box over every clip of every demo") {
  Random random(3);
  for (const Demo& demo : demos()) {
    Workbench workbench = makeWorkbench(demo.make(), {});
    for (std::uint32_t clip = 0; clip < workbench.model.clips.size(); ++clip) {
      CAPTURE(demo.name);
      CAPTURE(clip);
      Settings settings;
      settings.clip = std::to_string(clip);
      chooseClip(workbench, settings);
      evaluate(workbench, 0.0, Wrap::loop);
      checkClip(workbench, random);
    }
  }
}

TEST_CASE("clip bounds: a model that walks away is followed, one that does not move is itself") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    Model model = randomModel(seed);
    const Workbench still = makeWorkbench(model, {});
    const Bounds rest = outlineOverClip(still, Wrap::loop);
    const Bounds posed = posedOutline(still);
    CHECK(inside(rest, posed, 1e-4f));
    CHECK(inside(posed, rest, 1e-4f));

    Clip clip;
    clip.name = "away";
    clip.seconds = 10.0f;
    const std::vector<Node>& nodes = model.hierarchy.nodes;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].parent != kNoNode) continue;
      Channel channel;
      channel.node = node;
      const vec3 from = nodes[node].rest.translation;
      channel.translation.times = {0.0f, 10.0f};
      channel.translation.values = {from, from + vec3(50.0f, 0.0f, 30.0f)};
      clip.channels.push_back(channel);
    }
    model.clips = {clip};
    Workbench workbench = makeWorkbench(model, {});
    Random random(seed);
    checkClip(workbench, random);
    CHECK(outlineOverClip(workbench, Wrap::loop).size() < 2.0f * rest.size());
  }
}

TEST_CASE("clip bounds: a joint's box holds its limb, however short the bone is, at any scale") {
  for (const float scale : {1.0f, 0.01f, 1000.0f}) {
    Model model = findDemo("arm").make();
    const auto elbow = *findNode(model.hierarchy, "LowerArm");
    const auto hand = *findNode(model.hierarchy, "Hand");
    const float bone = glm::length(model.hierarchy.nodes[hand].rest.translation);
    Settings settings;
    settings.clip = "none";
    const float thick = [&] {
      const Workbench workbench = makeWorkbench(model, settings);
      return limbRadius(workbench, elbow);
    }();
    CHECK(thick > 0.1f * bone);
    CHECK(thick < bone);
    model.hierarchy.nodes[0].rest.scale *= scale;
    model.hierarchy.nodes[hand].rest.translation *= 0.001f;
    const Workbench workbench = makeWorkbench(model, settings);
    CHECK(limbRadius(workbench, elbow) == doctest::Approx(scale * thick));
    const Bounds box = jointOverClip(workbench, Wrap::loop, elbow, 1.0f);
    const vec3 at(workbench.modelFromNode[elbow][3]), reach(0.99f * scale * thick);
    CHECK(inside({at - reach, at + reach}, box, 0.0f));
  }
}

} // namespace sinew
