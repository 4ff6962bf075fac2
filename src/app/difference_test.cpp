#include "animation/random_model.h"
#include "app/difference.h"
#include "app/settings_view.h"
#include "app/workbench.h"
#include "core/error.h"
#include "demo/demo.h"
#include "picture/captions.h"
#include "picture/picture.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <array>

using namespace sinew;

namespace {

Workbench posed(const char* methods, const char* reference, std::uint64_t seed = 5) {
  Settings settings;
  settings.methods = parseMethods(methods);
  readSetting(reference, settings.difference);
  Model model = randomModel(seed);
  const Pose pose = randomPose(model, seed);
  Workbench bench = makeWorkbench(std::move(model), settings);
  holdPose(bench, pose);
  return bench;
}

} // namespace

TEST_CASE("difference: shares of the model's size, the largest and the mean of them") {
  const std::array<vec3, 2> reference{vec3(0), vec3(1, 0, 0)};
  const std::array<vec3, 2> places{vec3(0, 3, 4), vec3(1, 0, 0)};
  const Difference difference = computeDifference(places, reference, 10.0f);
  CHECK(difference.shares == std::vector<float>{0.5f, 0.0f});
  CHECK(difference.largest == 0.5f);
  CHECK(difference.mean == 0.25f);
  CHECK(computeDifference({}, {}, 1.0f).mean == 0.0f);
}

TEST_CASE("difference: colour scales end at round numbers not below the largest") {
  CHECK(scaleEndFor(0.0f) == doctest::Approx(1e-4f));
  CHECK(scaleEndFor(0.011f) == doctest::Approx(0.02f));
  CHECK(scaleEndFor(0.02f) == doctest::Approx(0.02f));
  CHECK(scaleEndFor(0.0201f) == doctest::Approx(0.05f));
  CHECK(scaleEndFor(0.7f) == doctest::Approx(1.0f));
  for (float x = 2e-4f; x < 3.0f; x *= 1.07f)
    CHECK((scaleEndFor(x) >= 0.9999f * x && scaleEndFor(x) <= 2.6f * x));
}

TEST_CASE("difference: of a method with itself it is zero, with another it is the distance") {
  const Workbench bench = posed("lbs,dqs,arc-spline:normals=exact,lbs", "lbs");
  REQUIRE(bench.differences.size() == 4);
  for (const std::size_t same : {0u, 3u}) {
    CHECK(bench.differences[same].reference);
    CHECK(bench.differences[same].largest == 0.0f);
  }
  const std::vector<vec3> lbs = skinOnCpu(bench, bench.bound[0]).positions;
  for (const std::size_t other : {1u, 2u}) {
    const std::vector<vec3> places = skinOnCpu(bench, bench.bound[other]).positions;
    const Difference& difference = bench.differences[other];
    CHECK(!difference.reference);
    CHECK(difference.largest > 0.01f);
    CHECK(difference.mean < difference.largest);
    for (std::size_t v = 0; v < lbs.size(); ++v)
      CHECK(difference.shares[v] * bench.size ==
            doctest::Approx(glm::length(places[v] - lbs[v])).epsilon(1e-4));
  }
  CHECK(bench.largestDifference ==
        std::max(bench.differences[1].largest, bench.differences[2].largest));
}

TEST_CASE("difference: parameters that move no vertex make none, but it is another method") {
  const Workbench bench = posed("arc-spline:normals=exact", "arc-spline");
  CHECK(!bench.differences[0].reference);
  CHECK(bench.differences[0].largest == 0.0f);
}

TEST_CASE("difference: comes and goes with the settings") {
  Settings settings;
  settings.methods = parseMethods("lbs,dqs");
  Workbench bench = makeWorkbench(findDemo("humanoid").make(), settings);
  CHECK(bench.differences.empty());
  CHECK(makeCaption(bench, settings, 1) == "Dual quaternions");
  settings.difference = parseMethods("lbs").front();
  CHECK(rebind(bench, settings).empty());
  evaluate(bench, 1.0f, Wrap::loop);
  REQUIRE(bench.differences.size() == 2);
  CHECK(bench.size == doctest::Approx(1.9f).epsilon(0.2));
  CHECK(makeCaption(bench, settings, 0).find("reference") != std::string::npos);
  CHECK(makeCaption(bench, settings, 1).find("largest 0.") != std::string::npos);
  CHECK(differenceScale(bench, settings) >= bench.largestDifference);
  settings.differenceScale = 5.0f;
  CHECK(differenceScale(bench, settings) == doctest::Approx(0.05f));
  settings.difference.reset();
  rebind(bench, settings);
  evaluate(bench, 1.0f, Wrap::loop);
  CHECK(bench.differences.empty());
}

TEST_CASE("difference: settings name one method, and one colouring") {
  Settings settings;
  for (const char* good : {"none", "lbs", "arc_spline", "arc-spline:attachments=1"}) {
    CHECK_NOTHROW(readSetting(good, settings.difference));
    CHECK_NOTHROW(checkSettings(settings));
  }
  for (const char* bad : {"", "magic", "lbs,dqs"}) {
    CHECK_THROWS_AS(readSetting(bad, settings.difference), Error);
  }
  settings.difference = parseMethods("lbs").front();
  settings.weightsJoint = "Hips";
  CHECK_THROWS_AS(checkSettings(settings), Error);
}
