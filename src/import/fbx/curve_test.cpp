// Curves between and beyond their keys, against closed forms.
#include "animation/sample.h"
#include "import/fbx/animation.h"
#include "import/fbx/fbx_test_file.h"
#include "import/track_sampler.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kTicks = 46186158000.0;

FbxCurve curveOfText(const std::string& text) {
  const std::string file = "Curve: {\n" + text + "}\n";
  const FbxElement root = parseFbxAscii(file);
  FbxCurveReport report;
  return readFbxCurve(root.children.at(0), kTicks, report);
}

FbxCurve channelOfText(const std::string& keys) {
  const std::string file = "Channel: \"X\" {\n" + keys + "}\n";
  const FbxElement root = parseFbxAscii(file);
  FbxCurveReport report;
  return readFbxChannel(root.children.at(0), kTicks, report);
}

double hermite(double a, double b, double slopeA, double slopeB, double length, double t) {
  return (2 * t * t * t - 3 * t * t + 1) * a + (t * t * t - 2 * t * t + t) * length * slopeA +
         (3 * t * t - 2 * t * t * t) * b + (t * t * t - t * t) * length * slopeB;
}

constexpr const char* kThirds = "218434821"; // both weights, as 16-bit integers

} // namespace

TEST_CASE("FBX curves: constant, constant next, linear") {
  const FbxCurve constant =
      curveOfText(curve({1, 2, 4}, "3,5,9", "2,258,4", "0,0,0,0,0,0,0,0,0,0,0,0", "1,1,1"));
  CHECK(constant.at(0.0) == 3.0);
  CHECK(constant.at(1.9) == 3.0);
  CHECK(constant.at(2.0) == 9.0); // the next key's from its own moment on
  CHECK(constant.at(3.0) == 9.0);
  CHECK(constant.at(5.0) == 9.0);
  CHECK(constant.isStepped());
  const FbxCurve linear = curveOfText(linearCurve({0, 2}, "1,5"));
  CHECK(linear.at(0.5) == doctest::Approx(2.0));
  CHECK_FALSE(linear.isConstant());
  CHECK(curveOfText(linearCurve({0, 2}, "4,4")).isConstant());
}

TEST_CASE("FBX curves: cubic with slopes of the file") {
  // 1065353216 are the bits of 1, -1073741824 those of -2.
  const FbxCurve c = curveOfText(
      curve({0, 2}, "1,4", "1032", std::string("1065353216,-1073741824,") + kThirds + ",0", "2"));
  for (const double t : {0.1, 0.5, 1.3})
    CHECK(c.at(t) == doctest::Approx(hermite(1, 4, 1, -2, 2, t / 2)));
}

TEST_CASE("FBX curves: weights make a Bezier curve of time and value") {
  // Right weight 0.6, next left weight 0.2; slopes 3 and 0.
  const auto weights = static_cast<std::uint32_t>(std::lround(0.6 * 9999)) |
                       static_cast<std::uint32_t>(std::lround(0.2 * 9999)) << 16;
  const FbxCurve c = curveOfText(curve({0, 2}, "0,1", std::to_string(1032 | 0x3000000),
                                       fmt::format("1077936128,0,{},0", weights), "2"));
  const double w0 = std::round(0.6 * 9999) / 9999.0;
  const double w1 = std::round(0.2 * 9999) / 9999.0;
  for (const double u : {0.2, 0.5, 0.7}) {
    const double s = 1.0 - u;
    const double time = 2.0 * (3 * s * s * u * w0 + 3 * s * u * u * (1 - w1) + u * u * u);
    const double value = 3 * s * s * u * (3.0 * w0 * 2.0) + 3 * s * u * u * 1.0 + u * u * u;
    CHECK(c.at(time) == doctest::Approx(value));
  }
}

TEST_CASE("FBX curves: automatic tangents run through the neighbours, and do not overshoot when "
          "clamped") {
  const std::string zeros = "0,0,0,0";
  const FbxCurve free = curveOfText(curve({0, 1, 3}, "0,1,6", "264", zeros, "3"));
  CHECK(free.at(0.5) == doctest::Approx(hermite(0, 1, 0, 2, 1, 0.5)));
  CHECK(free.at(2.0) == doctest::Approx(hermite(1, 6, 2, 0, 2, 0.5)));
  const FbxCurve clamped = curveOfText(curve({0, 1, 3}, "0,1,1", "24840", zeros, "3"));
  CHECK(clamped.at(2.0) == doctest::Approx(1.0));
  const FbxCurve peak = curveOfText(curve({0, 1, 2}, "0,1,0", "24840", zeros, "3"));
  CHECK(peak.at(0.999) < 1.0);
  // A handle reaches no further than its neighbour's value: slope 3 at most here, not 5.
  const FbxCurve steep = curveOfText(curve({0, 1, 2}, "0,1,10", "24840", zeros, "3"));
  CHECK(steep.at(0.5) == doctest::Approx(hermite(0, 1, 0, 3, 1, 0.5)));
}

TEST_CASE("FBX curves: tension, continuity, bias") {
  // Bits of 0.5, 0, 0: half the slope.
  const FbxCurve c = curveOfText(curve({0, 1, 2}, "0,1,4", "520", "1056964608,0,0,0", "3"));
  const double slope = 0.5 * 0.5 * (1.0 + 3.0);
  CHECK(c.at(1.5) == doctest::Approx(hermite(1, 4, slope, 0.5 * 3.0, 1, 0.5)));
}

TEST_CASE("FBX curves: beyond the keys") {
  const auto with = [](const std::string& type) {
    return curveOfText(linearCurve({0, 1, 2}, "0,2,1") + "Post-Extrapolation:  {\nType: " + type +
                       "\nRepetition: -1\n}\nPre-Extrapolation:  {\nType: " + type +
                       "\nRepetition: -1\n}\n");
  };
  CHECK(with("C").at(2.5) == 1.0);
  CHECK(with("R").at(2.5) == doctest::Approx(1.0));
  CHECK(with("R").at(-0.5) == doctest::Approx(1.5));
  CHECK(with("M").at(2.5) == doctest::Approx(1.5));
  CHECK(with("M").at(-0.5) == doctest::Approx(1.0));
  CHECK(with("A").at(2.5) == doctest::Approx(2.0)); // one up for each cycle
  CHECK(with("A").at(-0.5) == doctest::Approx(0.5));
  CHECK(with("K").at(3.0) == doctest::Approx(0.0));
}

TEST_CASE("FBX curves: keys of version 6") {
  const FbxCurve c = channelOfText(fmt::format(
      "KeyCount: 5\nKey: 0,1,L,{},3,C,n,{},5,U,s,2,-1,n,{},6,U,b,0,0,a,0.5,0.25,{},7,U,a,n\n",
      ticks(1), ticks(2), ticks(3), ticks(4)));
  REQUIRE(c.times.size() == 5);
  CHECK(c.at(0.5) == doctest::Approx(2.0));
  CHECK(c.at(1.5) == 5.0);
  CHECK(c.at(2.25) == doctest::Approx(hermite(5, 6, 2, -1, 1, 0.25)));
  CHECK(c.segments[3].rightWeight == 0.5);
  CHECK(c.segments[3].leftWeight == 0.25);
  CHECK_THROWS_AS(channelOfText("KeyCount: 2\nKey: 0,1,L\n"), FbxError);
  CHECK_THROWS_AS(channelOfText("KeyCount: 1\nKey: 0,1,U,s,2\n"), FbxError);
  CHECK_THROWS_AS(channelOfText("KeyCount: 1\nKey: 0,1,Q\n"), FbxError);
}

TEST_CASE("FBX curves: lists that disagree are errors") {
  CHECK_THROWS_AS(curveOfText(linearCurve({0, 1}, "1,2,3")), FbxError);
  CHECK_THROWS_AS(curveOfText(curve({0, 1}, "1,2", "4,4", "0,0,0,0", "1,1")), FbxError);
  CHECK_THROWS_AS(curveOfText(curve({0, 1}, "1,2", "4", "0,0,0,0", "1")), FbxError);
}

TEST_CASE("FBX curves: keys out of order, twice, or not finite are repaired and counted") {
  const std::string file = "Curve: {\n" + linearCurve({1, 0, 1, 2}, "1,0,3,nan") + "}\n";
  const FbxElement root = parseFbxAscii(file);
  FbxCurveReport report;
  const FbxCurve c = readFbxCurve(root.children.at(0), kTicks, report);
  CHECK(report.notFinite == 1);
  CHECK(report.unordered == 1);
  CHECK(c.times == std::vector<double>{0.0, 1.0});
  CHECK(c.values == std::vector<double>{0.0, 3.0});
}

TEST_CASE("Euler angles turn about the axes in the order that the file says") {
  // A point turned about each axis by a right angle.
  const auto turned = [](std::int64_t order) {
    const glm::dvec3 p = fbxRotation({90, 90, 90}, order) * glm::dvec3(1, 2, 3);
    return glm::round(p);
  };
  // x: (1,2,3) -> (1,-3,2); y: (a,b,c) -> (c,b,-a); z: (a,b,c) -> (-b,a,c).
  CHECK(turned(0) == glm::dvec3(3, 2, -1)); // x y z
  CHECK(turned(1) == glm::dvec3(2, 1, -3)); // x z y
  CHECK(turned(2) == glm::dvec3(-2, 1, 3)); // y z x
  CHECK(turned(5) == glm::dvec3(3, 2, -1) * 0.0 +
                         glm::round(fbxRotation({90, 0, 0}, 0) *
                                    (fbxRotation({0, 90, 0}, 0) *
                                     (fbxRotation({0, 0, 90}, 0) * glm::dvec3(1, 2, 3)))));
}

TEST_CASE("sampled tracks stay within the tolerance of the value") {
  SampleTimes at;
  at.times = {0.0, 1.0, 2.5};
  std::size_t missed = 0;
  const auto angles = [](double t) {
    return glm::dvec3(720.0 * t, 40.0 * std::sin(3.0 * t), -100.0 * t * t);
  };
  const Track<quat> track = sampleRotations(
      at, [&](double t) { return fbxRotation(angles(t), 0); }, 5e-7, missed);
  CHECK(missed == 0);
  CHECK(track.interpolation == Interpolation::cubic);
  Hierarchy hierarchy;
  hierarchy.nodes.push_back({"node", kNoNode, {}});
  Clip clip;
  clip.seconds = 2.5f;
  clip.channels.push_back({0, {}, track, {}});
  float worst = 0.0f;
  for (int i = 0; i <= 1000; ++i) {
    const double t = 2.5 * i / 1000.0;
    quat played = sample(hierarchy, clip, static_cast<float>(t)).parentFromNode.at(0).rotation;
    const quat exact(fbxRotation(angles(static_cast<double>(static_cast<float>(t))), 0));
    if (glm::dot(played, exact) < 0.0f) played = -played;
    worst = std::max(worst, glm::length(played - exact));
  }
  CHECK(worst < 3e-6f);
}

TEST_CASE("sampled tracks: jumps, stillness, straight lines") {
  SampleTimes at;
  at.times = {0.0, 1.0, 2.0};
  std::size_t missed = 0;
  const Track<float> still = sampleNumbers(
      at, [](double) { return 3.0; }, 1e-6, missed);
  CHECK(still.values == std::vector<float>{3.0f});
  const Track<float> line = sampleNumbers(
      at, [](double t) { return 2.0 * t; }, 1e-6, missed);
  CHECK(line.interpolation == Interpolation::linear);
  CHECK(line.times == std::vector<float>{0.0f, 1.0f, 2.0f});
  const Track<float> jump = sampleNumbers(
      at, [](double t) { return t < 1.0 ? t : t + 5.0; }, 1e-6, missed);
  REQUIRE(jump.times.size() == 4);
  CHECK(jump.times[1] < 1.0f);
  CHECK(jump.values[1] == doctest::Approx(1.0f));
  CHECK(jump.times[2] == 1.0f);
  CHECK(jump.values[2] == 6.0f);
  at.stepped = true;
  const Track<float> steps = sampleNumbers(
      at, [](double t) { return std::floor(t); }, 1e-6, missed);
  CHECK(steps.interpolation == Interpolation::step);
  CHECK(steps.values == std::vector<float>{0.0f, 1.0f, 2.0f});
}
