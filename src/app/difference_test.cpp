#include "animation/random_model.h"
#include "app/difference.h"
#include "app/settings_view.h"
#include "app/workbench.h"
#include "core/error.h"
#include "demo/demo.h"
#include "picture/captions.h"
#include "picture/scene_renderer.h"

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
  Workbench workbench = makeWorkbench(std::move(model), settings);
  holdPose(workbench, pose);
  return workbench;
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
  const Workbench workbench = posed("lbs,dqs,arc-spline:normals=exact,lbs", "lbs");
  REQUIRE(workbench.differences.size() == 4);
  for (const std::size_t same : {0u, 3u}) {
    CHECK(workbench.differences[same].reference);
    CHECK(workbench.differences[same].largest == 0.0f);
  }
  const std::vector<vec3> lbs = skinOnCpu(workbench, workbench.bound[0]).positions;
  for (const std::size_t other : {1u, 2u}) {
    const std::vector<vec3> places = skinOnCpu(workbench, workbench.bound[other]).positions;
    const Difference& difference = workbench.differences[other];
    CHECK(!difference.reference);
    CHECK(difference.largest > 0.01f);
    CHECK(difference.mean < difference.largest);
    for (std::size_t v = 0; v < lbs.size(); ++v)
      CHECK(difference.shares[v] * workbench.size ==
            doctest::Approx(glm::length(places[v] - lbs[v])).epsilon(1e-4));
  }
  CHECK(workbench.largestDifference ==
        std::max(workbench.differences[1].largest, workbench.differences[2].largest));
}

TEST_CASE("difference: parameters that move no vertex make none, but it is another method") {
  const Workbench workbench = posed("arc-spline:normals=exact", "arc-spline");
  CHECK(!workbench.differences[0].reference);
  CHECK(workbench.differences[0].largest == 0.0f);
}

TEST_CASE("difference: comes and goes with the settings") {
  Settings settings;
  settings.methods = parseMethods("lbs,dqs");
  Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
  CHECK(workbench.differences.empty());
  CHECK(makeCaption(workbench, settings, 1) == "Dual quaternions");
  settings.difference = parseMethods("lbs").front();
  CHECK(rebind(workbench, settings).empty());
  evaluate(workbench, 1.0f, Wrap::loop);
  REQUIRE(workbench.differences.size() == 2);
  CHECK(workbench.size == doctest::Approx(1.9f).epsilon(0.2));
  CHECK(makeCaption(workbench, settings, 0).find("reference") != std::string::npos);
  CHECK(makeCaption(workbench, settings, 1).find("largest 0.") != std::string::npos);
  CHECK(differenceScale(workbench, settings) >= workbench.largestDifference);
  settings.differenceScale = 5.0f;
  CHECK(differenceScale(workbench, settings) == doctest::Approx(0.05f));
  settings.difference.reset();
  rebind(workbench, settings);
  evaluate(workbench, 1.0f, Wrap::loop);
  CHECK(workbench.differences.empty());
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
