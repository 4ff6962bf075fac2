#include "animation/sample.h"
#include "core/random.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;

namespace {

// One node; keys at 0, 1 and 3 seconds.
struct Swing {
  Hierarchy hierarchy;
  Clip clip;

  Swing() {
    hierarchy.nodes.push_back({"node", kNoNode, {{5, 6, 7}, {1, 0, 0, 0}, {1, 2, 3}}});
    clip.seconds = 4.0f;
    Channel channel;
    channel.translation = {{0, 1, 3}, {vec3(0), vec3(1, 0, 0), vec3(1, 4, 0)}};
    channel.rotation = {{0, 1, 3},
                        {quat(1, 0, 0, 0), glm::angleAxis(1.0f, vec3(0, 1, 0)),
                         glm::angleAxis(2.0f, vec3(0, 1, 0))}};
    clip.channels.push_back(channel);
  }
  Transform at(float time, Wrap wrap = Wrap::clamp) const {
    return sample(hierarchy, clip, time, wrap).parentFromNode[0];
  }
};

} // namespace

TEST_CASE("keys are met, and between them translation is linear and rotation slerps") {
  const Swing swing;
  CHECK(swing.at(1.0f).translation == vec3(1, 0, 0));
  CHECK(glm::length(swing.at(2.0f).translation - vec3(1, 2, 0)) < 1e-6f);
  CHECK(glm::angle(swing.at(0.25f).rotation) == doctest::Approx(0.25f).epsilon(1e-4));
  CHECK(glm::angle(swing.at(2.5f).rotation) == doctest::Approx(1.75f).epsilon(1e-4));
}

TEST_CASE("end values hold outside the keys, and a track left out keeps rest") {
  const Swing swing;
  CHECK(swing.at(-1.0f).translation == vec3(0));
  CHECK(swing.at(3.9f).translation == vec3(1, 4, 0));
  CHECK(swing.at(100.0f).translation == vec3(1, 4, 0));
  CHECK(swing.at(2.0f).scale == vec3(1, 2, 3));
}

TEST_CASE("a step holds its key until the next one") {
  Swing swing;
  swing.clip.channels[0].translation.interpolation = Interpolation::step;
  swing.clip.channels[0].rotation.interpolation = Interpolation::step;
  CHECK(swing.at(0.999f).translation == vec3(0));
  CHECK(swing.at(0.999f).rotation == quat(1, 0, 0, 0));
  CHECK(swing.at(1.0f).translation == vec3(1, 0, 0));
  CHECK(swing.at(2.999f).translation == vec3(1, 0, 0));
  CHECK(swing.at(3.5f).translation == vec3(1, 4, 0));
}

TEST_CASE("a cubic track is the Hermite spline through its keys, its rotations of unit length") {
  Swing swing;
  Channel& channel = swing.clip.channels[0];
  // x = t^3 - t has the slopes -1, 2 and 26; y = 2 at every key, with slopes of their own.
  channel.translation = {
      {0, 1, 3},
      {vec3(0, 2, 0), vec3(0, 2, 0), vec3(24, 2, 0)},
      Interpolation::cubic,
      {{vec3(9), vec3(-1, 4, 0)}, {vec3(2, -4, 0), vec3(2, 0, 0)}, {vec3(26, 0, 0), vec3(9)}}};
  channel.rotation.interpolation = Interpolation::cubic;
  channel.rotation.values = {quat(2, 0, 0, 0), quat(0, 0, 2, 0), quat(-2, 0, 0, 0)};
  channel.rotation.tangents.assign(3, {quat(0, 0, 0, 0), quat(0, 0, 0, 0)});
  const vec3 half = swing.at(0.5f).translation;
  CHECK(glm::length(half - vec3(-0.375f, 3, 0)) < 1e-6f);
  CHECK(glm::length(swing.at(2.5f).translation - vec3(13.125f, 2, 0)) < 1e-5f);
  CHECK(swing.at(3.0f).translation == vec3(24, 2, 0));
  // No turn to the nearer side: from 1 by way of j to -1, half way at 45 degrees of the sphere.
  const quat turned = swing.at(2.0f).rotation;
  CHECK(turned.w == doctest::Approx(-std::sqrt(0.5f)));
  CHECK(turned.y == doctest::Approx(std::sqrt(0.5f)));
  CHECK(glm::length(swing.at(3.5f).rotation - quat(-1, 0, 0, 0)) < 1e-6f);
}

TEST_CASE("looping wraps, forwards and backwards") {
  const Swing swing;
  CHECK(swing.at(4.5f, Wrap::loop).translation == swing.at(0.5f).translation);
  CHECK(swing.at(-3.5f, Wrap::loop).translation == swing.at(0.5f).translation);
  CHECK(wrapTime(1.0f, 0.0f, Wrap::loop) == 0.0f);
  CHECK(wrapTime(std::numeric_limits<float>::quiet_NaN(), 2.0f, Wrap::loop) == 0.0f);
  CHECK(wrapTime(-1e-9f, 2.0f, Wrap::loop) <= 2.0f);
}

TEST_CASE("the cursor changes nothing but speed, whichever way time jumps") {
  Random random(11);
  Swing swing;
  Channel& channel = swing.clip.channels[0];
  channel.translation = {};
  float time = 0.0f;
  for (int i = 0; i < 200; ++i) {
    time += random.uniform(0.001f, 0.1f);
    channel.translation.times.push_back(time);
    channel.translation.values.emplace_back(random.uniform(), random.uniform(), random.uniform());
  }
  swing.clip.seconds = time;
  SampleCursor cursor;
  Pose pose;
  float now = 0.0f;
  for (int i = 0; i < 2000; ++i) {
    now = random.uniform() < 0.2f ? random.uniform(0.0f, time) : now + random.uniform(0.0f, 0.05f);
    sample(swing.hierarchy, swing.clip, now, Wrap::loop, cursor, pose);
    const Pose fresh = sample(swing.hierarchy, swing.clip, now, Wrap::loop);
    REQUIRE(pose == fresh);
  }
}
