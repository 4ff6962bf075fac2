#include "demo/demo.h"
#include "demo/random_model.h"
#include "demo/rigging.h"
#include "metrics/compare.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

using namespace sinew;

namespace {

// By method and degrees.
using Rows = std::map<std::pair<std::string, int>, MethodFigures>;

Rows sweepArm(JointTurn turn, std::uint32_t steps, std::string_view name = "LowerArm") {
  const Model arm = findDemo("arm").make();
  std::vector<MethodChoice> choices;
  for (const char* method : {"lbs", "dqs", "bones-blending", "arc-spline"})
    choices.push_back({&findMethod(method), {}});
  JointSweep sweep;
  sweep.turn = turn;
  sweep.steps = steps;
  Rows rows;
  for (const auto& [degrees, figures] :
       sweepJoint(arm, buildRig(arm), jointNamed(arm, name), sweep, choices))
    rows[{std::string(figures.method), static_cast<int>(std::lround(degrees))}] = figures;
  CHECK(rows.size() == choices.size() * (steps + 1));
  for (const auto& [key, f] : rows)
    MESSAGE(key.first, " at ", key.second, ": volume ", f.volume, ", total ", f.totalVolume,
            ", cross-section ", f.crossSection, ", stretch ", f.largestStretch, " mean ",
            f.meanStretch, ", curvature ", glm::degrees(f.curvature), ", flipped ", f.flipped,
            ", crossings ", f.selfIntersections);
  return rows;
}

} // namespace

TEST_CASE("at rest every method keeps everything") {
  for (const auto& [key, figures] : sweepArm(JointTurn::both, 2)) {
    if (key.second != 0) continue;
    CAPTURE(key.first);
    CHECK(figures.volume == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(figures.totalVolume == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(figures.crossSection == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(figures.largestStretch == doctest::Approx(1.0f).epsilon(1e-3));
    CHECK(figures.flipped == 0.0f);
    CHECK(figures.selfIntersections == 0);
  }
}
