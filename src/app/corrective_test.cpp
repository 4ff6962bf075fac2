#include "app/corrective.h"
#include "core/error.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

using namespace sinew;

namespace {

// The demo arm with its elbow bent, by one method.
Workbench bentArm(const char* method, float degrees, ModelDrivers drivers = {}) {
  Settings settings;
  readSetting(method, settings.methods);
  Model model = findDemo("arm").make();
  addShapes(model, drivers.set.shapes);
  Workbench workbench = makeWorkbench(std::move(model), settings, {}, {}, std::move(drivers));
  Pose pose = restPose(workbench.model);
  const std::uint32_t elbow = findJoint(workbench.model, "LowerArm");
  pose.parentFromNode[elbow].rotation *=
      glm::angleAxis(glm::radians(degrees), vec3(0.0f, 0.0f, 1.0f));
  holdPose(workbench, std::move(pose));
  return workbench;
}

std::vector<vec3> placesBy(const char* method, float degrees) {
  const Workbench workbench = bentArm(method, degrees);
  return skinOnCpu(workbench, workbench.bound.front()).positions;
}

float largestDistance(std::span<const vec3> a, std::span<const vec3> b) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, glm::distance(a[i], b[i]));
  return largest;
}

} // namespace

TEST_CASE("corrective shapes: linear blending with three of them has the sculpts, and comes nearer "
          "between them") {
  DriverSet set;
  const std::vector<float> angles = {45.0f, 90.0f, 135.0f};
  for (const float angle : angles) {
    const Workbench workbench = bentArm("lbs", angle, {set, {}});
    const CorrectiveReport report =
        addCorrective(workbench, placesBy("arc-spline", angle), {std::to_string(angle), {}}, set);
    CHECK(report.driver == "LowerArm");
    CHECK(report.missed == 0);
  }
  REQUIRE(set.drivers.size() == 1);
  CHECK(set.drivers[0].morphs.size() == 3);
  const float size = computeBounds(bentArm("lbs", 0.0f).rig.positions).size();
  for (const float angle : angles) {
    const Workbench workbench = bentArm("lbs", angle, {set, {}});
    CHECK(largestDistance(skinOnCpu(workbench, workbench.bound.front()).positions,
                          placesBy("arc-spline", angle)) < 1e-5f * size);
  }
  for (const float angle : {30.0f, 70.0f, 110.0f}) {
    const std::vector<vec3> wanted = placesBy("arc-spline", angle);
    const Workbench corrected = bentArm("lbs", angle, {set, {}});
    CHECK(largestDistance(skinOnCpu(corrected, corrected.bound.front()).positions, wanted) <
          0.5f * largestDistance(placesBy("lbs", angle), wanted));
  }
  const Workbench rest = bentArm("lbs", 0.0f, {set, {}});
  CHECK(largestDistance(skinOnCpu(rest, rest.bound.front()).positions, placesBy("lbs", 0.0f)) <
        1e-6f * size);
}

TEST_CASE("corrective shapes: what cannot be one is refused") {
  const Workbench workbench = bentArm("lbs", 90.0f);
  const std::vector<vec3> places = placesBy("arc-spline", 90.0f);
  DriverSet set;
  CHECK_THROWS_WITH_AS(addCorrective(workbench, placesBy("lbs", 90.0f), {"same", {}}, set),
                       doctest::Contains("no vertex is moved"), Error);
  CHECK_THROWS_WITH_AS(addCorrective(workbench, places, {"fix", {"Elbow"}}, set),
                       doctest::Contains("unknown joint 'Elbow'"), Error);
  const Workbench straight = bentArm("lbs", 0.0f);
  CHECK_THROWS_WITH_AS(addCorrective(straight, places, {"fix", {}}, set),
                       doctest::Contains("no joint of the moved vertices is turned"), Error);
  addCorrective(workbench, places, {"fix", {}}, set);
  const Workbench again = bentArm("lbs", 90.0f, {set, {}});
  CHECK_THROWS_WITH_AS(addCorrective(again, places, {"fix", {}}, set),
                       doctest::Contains("the model has a morph target 'fix'"), Error);
}
