#include "animation/clip_keys.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

TEST_CASE("keys of a clip and of one joint, and the frames they make") {
  Clip clip{"c", 1.0f, {}};
  CHECK(keyTimes(clip).empty());
  CHECK(frameSeconds(clip) == doctest::Approx(1.0 / 30.0));
  clip.channels.push_back({3, {{-0.5f, 0.0f, 0.5f}, {{}, {}, {}}}, {}, {}});
  clip.channels.push_back({4, {}, {}, {{0.0f, 1.0f}, {{}, {}}}});
  CHECK(keyTimes(clip) == std::vector<float>{0.0f, 0.5f, 1.0f});
  CHECK(keyTimes(clip, 4u) == std::vector<float>{0.0f, 1.0f});
  CHECK(keyTimes(clip, 5u).empty());
  CHECK(frameSeconds(clip) == doctest::Approx(1.0 / 30.0)); // half seconds are no frames
  clip.channels.push_back({5, {}, {}, {}});
  for (int i = 0; i < 120; ++i) {
    clip.channels[2].translation.times.push_back(static_cast<float>(i) / 120.0f);
    clip.channels[2].translation.values.emplace_back(0.0f);
  }
  CHECK(frameSeconds(clip) == doctest::Approx(1.0 / 120.0).epsilon(1e-3));
}

TEST_CASE("steps and curves get times between their keys, of which linear keys can be made") {
  Clip clip;
  clip.channels.resize(2);
  clip.channels[0].translation = {{0, 1}, {vec3(0), vec3(1)}, Interpolation::step};
  CHECK(linearKeyTimes(clip) == std::vector<float>{0, std::nextafter(1.0f, 0.0f), 1});
  clip.channels[1].scale = {{0, 8}, {vec3(1), vec3(1)}, Interpolation::cubic, {{}, {}}};
  CHECK(linearKeyTimes(clip).size() == 10);
  CHECK(keyTimes(clip) == std::vector<float>{0, 1, 8});
}
