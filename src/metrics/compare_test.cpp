#include "animation/random_model.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "metrics/compare.h"
#include "skinning/joint_test_support.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace sinew;

namespace {

// A method bound once, for many poses.
class PosedSkin {
 public:
  PosedSkin(const Method& method, const Rig& rig, const BindOptions& options)
      : method_(&method), rig_(&rig), binding_(method.bind(rig, options)) {}

  const std::vector<vec3>& pose(std::span<const mat4> modelFromNode) {
    packPalette(*method_, *rig_, binding_, modelFromNode, palette_);
    method_->skin(*rig_, binding_, palette_, skin_);
    return skin_.positions;
  }
  const Method& method() const { return *method_; }

 private:
  const Method* method_;
  const Rig* rig_;
  Binding binding_;
  Palette palette_;
  SkinnedMesh skin_;
};

struct SweepRow {
  float degrees = 0.0f;
  MethodMetrics metrics;
};

struct MeasuredMethod {
  const Method* method = nullptr;
  BindOptions options;
};

// Rows by angle, and per angle by method. The reference of `flipped` is linear blending with the
// number of influences in the method's own options.
std::vector<SweepRow> sweepJoint(const Model& model, const Rig& rig, std::uint32_t joint,
                                 const JointSweep& sweep, std::span<const MeasuredMethod> choices) {
  const JointProbe probe = probeJoint(model, rig, joint);
  std::vector<PosedSkin> skinners, linears;
  for (const auto& [method, options] : choices) {
    skinners.emplace_back(*method, rig, options);
    BindOptions sameInfluences;
    sameInfluences.influences = options.influences;
    linears.emplace_back(findMethod("lbs"), rig, sameInfluences);
  }
  std::vector<SweepRow> rows;
  for (std::uint32_t i = 0; i <= sweep.steps; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(std::max(sweep.steps, 1u));
    const float degrees = sweep.from + (sweep.to - sweep.from) * t;
    const std::vector<mat4> modelFromNode =
        modelFromNodes(model.hierarchy, rotatedJoint(model, rig, probe, sweep, degrees));
    for (std::size_t k = 0; k < skinners.size(); ++k)
      rows.push_back({degrees, computeMetrics(probe, rig, skinners[k].method().name,
                                              skinners[k].pose(modelFromNode),
                                              linears[k].pose(modelFromNode))});
  }
  return rows;
}

// By method and degrees.
using Rows = std::map<std::pair<std::string, int>, MethodMetrics>;

Rows sweepArm(JointRotation rotation, std::uint32_t steps, std::string_view name = "LowerArm") {
  const Model arm = findDemo("arm").make();
  std::vector<MeasuredMethod> choices;
  for (const char* method : {"lbs", "dqs", "bones-blending", "arc-spline"})
    choices.push_back({&findMethod(method), {}});
  JointSweep sweep;
  sweep.rotation = rotation;
  sweep.steps = steps;
  Rows rows;
  for (const auto& [degrees, metrics] :
       sweepJoint(arm, buildRig(arm), jointNamed(arm, name), sweep, choices))
    rows[{std::string(metrics.method), static_cast<int>(std::lround(degrees))}] = metrics;
  CHECK(rows.size() == choices.size() * (steps + 1));
  return rows;
}

} // namespace

TEST_CASE("at rest every method keeps everything") {
  for (const auto& [key, metrics] : sweepArm(JointRotation::both, 2)) {
    if (key.second != 0) continue;
    const std::string& method = key.first;
    CAPTURE(method);
    CHECK(metrics.volume == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(metrics.totalVolume == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(metrics.crossSection == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(metrics.surfaceSection == doctest::Approx(1.0f).epsilon(1e-4));
    CHECK(metrics.largestStretch == doctest::Approx(1.0f).epsilon(1e-3));
    CHECK(metrics.flipped == 0.0f);
    CHECK(metrics.selfIntersections == 0);
  }
}

TEST_CASE("figures 4 and 8: half a twist of the elbow") {
  const Model arm = findDemo("arm").make();
  const Rig rig = buildRig(arm);
  const std::uint32_t elbow = jointNamed(arm, "LowerArm");
  const Rows rows = sweepArm(JointRotation::twist, 8);
  // Between two bones with weights 1 - w and w linear blending leaves |1 - w + w e^(i angle)|.
  const JointProbe probe = probeJoint(arm, rig, elbow);
  for (const auto& [key, metrics] : rows) {
    const std::string& method = key.first;
    const auto step = key.second;
    INFO(method << " at step " << step);
    if (key.first != "lbs") {
      CHECK(metrics.crossSection == doctest::Approx(1.0f).epsilon(1e-4));
      CHECK(metrics.volume > 0.98f);
      CHECK(metrics.surfaceSection > 0.95f); // what flat triangles leave
      continue;
    }
    float exact = 1.0f;
    for (const CrossSection& ring : probe.rings)
      for (const Influence& influence : rig.influences.of(ring.points[0].a)) {
        const float w = influence.weight;
        const float s = std::sin(0.5f * glm::radians(static_cast<float>(key.second)));
        if (influence.joint == elbow)
          exact = std::min(exact, std::sqrt(std::max(1.0f - 4.0f * w * (1.0f - w) * s * s, 0.0f)));
      }
    CHECK(metrics.crossSection == doctest::Approx(exact).epsilon(2e-3));
  }
  CHECK(rows.at({"lbs", 180}).crossSection < 0.15f); // no ring stands exactly in the middle
  CHECK(rows.at({"lbs", 180}).surfaceSection < 0.03f);
  CHECK(rows.at({"lbs", 180}).volume < 0.8f);
  CHECK(rows.at({"lbs", 180}).selfIntersections > 100);
  CHECK(rows.at({"bones-blending", 180}).selfIntersections == 0);
}

TEST_CASE("figure 11: a quarter twist of the shoulder") {
  const Rows rows = sweepArm(JointRotation::twist, 4, "UpperArm");
  CHECK(rows.at({"lbs", 90}).crossSection < 0.72f); // 0.7071 where both weights are a half
  CHECK(rows.at({"lbs", 90}).crossSection > 0.70f);
  for (const char* method : {"dqs", "bones-blending", "arc-spline"})
    CHECK(rows.at({method, 90}).crossSection == doctest::Approx(1.0f).epsilon(1e-4));
}

TEST_CASE("a bend: rings keep their size where rotations are blended; volume goes with linear") {
  const Rows rows = sweepArm(JointRotation::bend, 8);
  for (const int degrees : {-135, -90, 90, 135}) {
    CAPTURE(degrees);
    for (const char* method : {"dqs", "bones-blending"}) {
      CHECK(rows.at({method, degrees}).volume > rows.at({"lbs", degrees}).volume);
      CHECK(rows.at({method, degrees}).crossSection == doctest::Approx(1.0f).epsilon(1e-4));
    }
    // The arm is the same above and below the bend's plane.
    CHECK(rows.at({"lbs", degrees}).volume ==
          doctest::Approx(rows.at({"lbs", -degrees}).volume).epsilon(1e-3));
    CHECK(rows.at({"lbs", degrees}).flipped == 0.0f); // against itself
  }
}

TEST_CASE("rotating a joint rotates its bone by the angle and keeps its center, in any skeleton") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    const Rig rig = buildRig(model);
    Random random(seed);
    const std::uint32_t joint = random.below(20);
    const JointProbe probe = probeJoint(model, rig, joint);
    const float degrees = random.uniform(-180.0f, 180.0f);
    const std::vector<mat4> rest = modelFromNodes(model.hierarchy, bindPose(model));
    for (const JointRotation rotation : {JointRotation::bend, JointRotation::twist}) {
      JointSweep sweep;
      sweep.rotation = rotation;
      const std::vector<mat4> posed =
          modelFromNodes(model.hierarchy, rotatedJoint(model, rig, probe, sweep, degrees));
      const mat4 before = test::boneMatrix(rig, rest, joint);
      const mat4 change = test::boneMatrix(rig, posed, joint) * glm::inverse(before);
      const vec3 center = transformPoint(before, probe.axis.center);
      CHECK(glm::length(transformPoint(change, center) - center) < 1e-4f);
      const vec3 bone = transformVector(before, probe.axis.direction);
      const float cosine = glm::dot(bone, transformVector(change, bone)) / glm::dot(bone, bone);
      const float expected =
          rotation == JointRotation::bend ? std::cos(glm::radians(degrees)) : 1.0f;
      CHECK(std::abs(cosine - expected) < 1e-4f);
      const mat3 m(change); // the trace of a rotation is 1 + 2 cos(angle)
      CHECK(std::abs(m[0][0] + m[1][1] + m[2][2] - 1.0f - 2.0f * std::cos(glm::radians(degrees))) <
            1e-3f);
    }
  }
}

TEST_CASE("metrics of any random model in any pose are finite and in range") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const Model model = randomModel(seed);
    const Rig rig = buildRig(model);
    JointSweep sweep;
    sweep.rotation = JointRotation::both;
    sweep.steps = 4;
    std::vector<MeasuredMethod> choices;
    for (const Method& method : methods())
      choices.push_back({&method, {}});
    const auto rows = sweepJoint(model, rig, static_cast<std::uint32_t>(seed), sweep, choices);
    CHECK(rows.size() == 5 * methods().size());
    for (const SweepRow& row : rows) {
      const MethodMetrics& f = row.metrics;
      for (const float value : {f.volume, f.totalVolume, f.crossSection, f.surfaceSection,
                                f.largestStretch, f.meanStretch, f.curvature, f.flipped})
        CHECK(std::isfinite(value));
      CHECK(f.largestStretch >= f.meanStretch);
      CHECK(f.curvature >= 0.0f);
      CHECK(f.curvature < 3.1416f);
      CHECK(f.flipped >= 0.0f);
      CHECK(f.flipped <= 1.0f);
    }
  }
}
