#include "animation/random_model.h"
#include "app/crowd.h"
#include "bench/bench.h"
#include "core/test_effort.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

Workbench randomWorkbench() {
  Model model = randomModel(1);
  Clip clip;
  clip.name = "turn";
  clip.seconds = 1.0f;
  Channel channel;
  channel.node = 1;
  channel.rotation = {{0.0f, 1.0f}, {quat(1, 0, 0, 0), glm::angleAxis(1.5f, vec3(0, 1, 0))}};
  clip.channels.push_back(channel);
  model.clips.push_back(clip);
  return makeWorkbench(std::move(model), Settings{});
}

} // namespace

TEST_CASE("a crowd reaches its number of vertices with as few members as it takes") {
  const Workbench workbench = randomWorkbench();
  const std::size_t each = workbench.rig.positions.size();
  CHECK(makeCrowd(workbench, 1).members.size() == 1);
  CHECK(makeCrowd(workbench, 10 * each).members.size() == 10);
  CHECK(makeCrowd(workbench, 10 * each + 1).members.size() == 11);
}

TEST_CASE("every member has its own place and its own pose") {
  Workbench workbench = randomWorkbench();
  Crowd crowd = makeCrowd(workbench, 20 * workbench.rig.positions.size());
  evaluateCrowd(workbench, workbench.bound.front(), crowd, 0.3f);
  const std::size_t rowsEach = crowd.rows.size() / crowd.members.size();
  REQUIRE(rowsEach == workbench.bound.front().palette.rows.size());
  for (std::size_t a = 0; a < crowd.members.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      CHECK(crowd.offsets[a] != crowd.offsets[b]);
      CHECK(!std::equal(crowd.rows.begin() + static_cast<long>(a * rowsEach),
                        crowd.rows.begin() + static_cast<long>((a + 1) * rowsEach),
                        crowd.rows.begin() + static_cast<long>(b * rowsEach)));
    }
}

TEST_CASE("a member's palette is the workbench's at the same moment") {
  Workbench workbench = randomWorkbench();
  Crowd crowd = makeCrowd(workbench, 1);
  evaluateCrowd(workbench, workbench.bound.front(), crowd, 0.2f);
  evaluate(workbench, crowd.members[0].start + crowd.members[0].speed * 0.2f, Wrap::loop);
  const std::vector<vec4>& rows = workbench.bound.front().palette.rows;
  REQUIRE(crowd.rows.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = 0; k < 4; ++k)
      CHECK(std::abs(crowd.rows[i][k] - rows[i][k]) <= 1e-6f);
}

TEST_CASE("a character without clips sways, and the unskinned mesh costs no pose") {
  Workbench workbench = makeWorkbench(randomModel(2), Settings{});
  Crowd crowd = makeCrowd(workbench, 1);
  evaluateCrowd(workbench, workbench.bound.front(), crowd, 0.0f);
  const auto before = crowd.rows;
  evaluateCrowd(workbench, workbench.bound.front(), crowd, 0.5f);
  CHECK(crowd.rows != before);
  BoundMethod unskinned = bindMethod(workbench.rig, staticMethod(), {});
  evaluateCrowd(workbench, unskinned, crowd, 1.0f);
  CHECK(crowd.rows.empty());
  CHECK(crowd.cost.poseMs == 0.0);
}

TEST_CASE("each member of a crowd has the morph weights of its own moment") {
  Model model = randomModel(3);
  addRandomMorphs(model, 3, 1);
  Clip clip{"grow", 1.0f, {}, {}};
  clip.morphs.push_back({1, {{0.0f, 1.0f}, {0.0f, 1.0f}}});
  model.clips.push_back(clip);
  Settings settings;
  readSetting("arc-spline", settings.methods);
  Workbench workbench = makeWorkbench(std::move(model), settings);
  Crowd crowd = makeCrowd(workbench, 5 * workbench.rig.positions.size());
  evaluateCrowd(workbench, workbench.bound.front(), crowd, 0.3f);
  REQUIRE(crowd.morphWeights.size() == crowd.members.size());
  for (std::size_t i = 0; i < crowd.members.size(); ++i) {
    const CrowdMember& member = crowd.members[i];
    const float time = wrapTime(member.start + member.speed * 0.3f, 1.0f, Wrap::loop);
    REQUIRE(crowd.morphWeights[i].size() == 3);
    CHECK(crowd.morphWeights[i][1] == doctest::Approx(time));
  }
}

TEST_CASE("median, 95th percentile and minimum") {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i)
    values.push_back(i);
  const Distribution d = computeDistribution(values);
  CHECK(d.median == 50.5);
  CHECK(d.p95 == 95.0);
  CHECK(d.minimum == 1.0);
  CHECK(computeDistribution({7.0}).p95 == 7.0);
  CHECK(computeDistribution({}).median == 0.0);
}

namespace {

constexpr float kWhole = 2.0f * std::numbers::pi_v<float>;

// A spline's roll or twist, which may be a whole rotation away.
bool endsInAngle(const Binding& binding, std::size_t row) {
  const auto& texts = binding.rowTexts;
  return !texts.empty() && texts[row % texts.size()].ends_with("radians");
}

} // namespace

TEST_CASE("a crowd's palettes are those of each member alone, on any number of threads") {
  for (const bool anyClip : {false, true})
    for (const Method& method : methods()) {
      if (test::kSanitized && anyClip != (&method == &methods().front())) continue;
      CAPTURE(method.name);
      Settings settings;
      readSetting(method.name, settings.methods);
      Model model = findDemo("humanoid").make();
      settings.clip = anyClip ? "none" : "walk"; // none: members play different clips
      Workbench workbench = makeWorkbench(std::move(model), settings);
      Crowd one = makeCrowd(workbench, 11 * workbench.rig.positions.size(), 1);
      Crowd three = makeCrowd(workbench, 11 * workbench.rig.positions.size(), 3);
      one.members[5].clip.reset(); // sways
      three.members[5].clip.reset();
      for (const float seconds : {0.0f, 0.31f, 2.0f}) {
        const BoundMethod& bound = workbench.bound.front();
        evaluateCrowd(workbench, bound, one, seconds);
        evaluateCrowd(workbench, bound, three, seconds);
        CHECK(one.rows == three.rows);
        CHECK(one.nonUniformScale == three.nonUniformScale);
        const std::size_t each = one.rows.size() / one.members.size();
        for (std::size_t i = 0; i < one.members.size(); ++i) {
          const CrowdMember& member = one.members[i];
          if (!member.clip) continue;
          Palette alone;
          packPalette(*bound.method, workbench.rig, bound.binding,
                      modelFromNodes(workbench.model.hierarchy,
                                     sample(workbench.model, workbench.model.clips[*member.clip],
                                            member.start + member.speed * seconds, Wrap::loop)),
                      alone);
          float largest = 0.0f;
          for (std::size_t r = 0; r < each; ++r)
            for (int k = 0; k < 4; ++k) {
              float off = std::abs(alone.rows[r][k] - one.rows[i * each + r][k]);
              if (k == 3 && endsInAngle(bound.binding, r))
                off = std::min(off, std::abs(off - kWhole));
              largest = std::max(largest, off);
            }
          CHECK(largest <= 1e-4f);
        }
      }
    }
}
