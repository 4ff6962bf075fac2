#include "animation/random_model.h"
#include "animation/sample.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "metrics/compare.h"
#include "metrics/skin_analysis.h"
#include "rig/subdivide.h"
#include "skinning/methods.h"

#include <doctest/doctest.h>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

using namespace sinew;

namespace {

std::vector<vec3> posedBy(std::string_view name, const Rig& rig, std::span<const mat4> F) {
  const Method& method = findMethod(name);
  const Binding binding = method.bind(rig, {});
  Palette palette;
  packPalette(method, rig, binding, F, palette);
  SkinnedMesh skin;
  method.skin(rig, binding, palette, skin);
  return skin.positions;
}

struct Bench {
  Model model;
  Rig rig;
  SkinAnalysis analysis;

  explicit Bench(Model m, const AnalysisOptions& options = {})
      : model(std::move(m)), rig(buildRig(model)), analysis(analyzeSkin(model, rig, options)) {}

  const SkinRegion& named(std::string_view name) const {
    return *std::ranges::find(analysis.regions, name, &SkinRegion::name);
  }
  std::size_t findIndex(std::string_view name) const {
    return static_cast<std::size_t>(&named(name) - analysis.regions.data());
  }
};

} // namespace

TEST_CASE("regions of an analysis: the whole mesh, and the joints that bend skin") {
  const Bench arm(findDemo("arm").make());
  REQUIRE(arm.analysis.regions.size() > 2);
  CHECK(arm.analysis.regions[0].node == kNoNode);
  CHECK(arm.analysis.regions[0].triangles.size() == arm.rig.triangles.size());
  CHECK(arm.analysis.regions[0].vertices.size() == arm.rig.positions.size());
  const std::uint32_t elbow = jointNamed(arm.model, "LowerArm");
  const auto& triangles = arm.named("LowerArm").triangles;
  const auto connected = trianglesOfJoint(arm.rig, elbow);
  CHECK(std::ranges::includes(triangles, connected));
  CHECK(triangles.size() < connected.size() + 112); // at most a ring of 2 * 28 more at either end
  CHECK(arm.named("LowerArm").bindVolume > 0.0);
  CHECK(!arm.named("LowerArm").sections.empty());
  // No triangle is of two joints.
  std::size_t sum = 0;
  for (std::size_t i = 1; i < arm.analysis.regions.size(); ++i)
    sum += arm.analysis.regions[i].triangles.size();
  const auto& of = arm.analysis.regionOfTriangle;
  CHECK(sum == of.size() - static_cast<std::size_t>(std::ranges::count(of, 0u)));
}

TEST_CASE("the bind pose, and the bind pose moved, have metrics of 1 and 0") {
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    const Bench workbench(demo.make());
    std::vector<vec3> moved = workbench.analysis.rest;
    for (vec3& p : moved)
      p = glm::angleAxis(1.0f, glm::normalize(vec3(1, 2, 3))) * p + vec3(1, -2, 3);
    for (const auto& all : {measureRest(workbench.analysis, workbench.rig),
                            measure(workbench.analysis, workbench.rig, moved, moved)}) {
      REQUIRE(all.size() == workbench.analysis.regions.size());
      for (const DeformationMetrics& f : all) {
        if (std::isfinite(f.volume)) CHECK(f.volume == doctest::Approx(1.0).epsilon(1e-4));
        if (std::isfinite(f.crossSection))
          CHECK(f.crossSection == doctest::Approx(1.0).epsilon(1e-3));
        CHECK(f.stretch == doctest::Approx(1.0).epsilon(1e-2));
        CHECK(f.folded == 0.0);
        CHECK(f.flipped == 0.0);
        CHECK(f.distance == 0.0);
        CHECK(f.beyond == 0.0);
      }
      CHECK(std::isfinite(all[0].volume));
      CHECK(std::isfinite(all[0].crossSection));
    }
    CHECK(measureRest(workbench.analysis, workbench.rig)[0].selfIntersections == 0.0);
  }
}

TEST_CASE("an analysis agrees with the metrics of one joint, whose region is a little smaller") {
  const Bench arm(findDemo("arm").make());
  const std::uint32_t elbow = jointNamed(arm.model, "LowerArm");
  const JointProbe probe = probeJoint(arm.model, arm.rig, elbow);
  for (const JointRotation rotation :
       {JointRotation::bend, JointRotation::twist, JointRotation::both}) {
    JointSweep sweep;
    sweep.rotation = rotation;
    const auto F =
        modelFromNodes(arm.model.hierarchy, rotatedJoint(arm.model, arm.rig, probe, sweep, 150.0f));
    const auto linear = posedBy("lbs", arm.rig, F);
    for (const char* name : {"lbs", "dqs", "arc-spline"}) {
      CAPTURE(name);
      const auto posed = posedBy(name, arm.rig, F);
      const DeformationMetrics f =
          measure(arm.analysis, arm.rig, posed, linear)[arm.findIndex("LowerArm")];
      const MethodMetrics of = computeMetrics(probe, arm.rig, name, posed, linear);
      CHECK(f.volume == doctest::Approx(of.volume).epsilon(0.1));
      CHECK(f.crossSection == doctest::Approx(of.surfaceSection).epsilon(0.01));
      CHECK(f.stretch == doctest::Approx(of.largestStretch).epsilon(1e-5));
      CHECK(f.curvature >= doctest::Approx(glm::degrees(of.curvature)).epsilon(1e-4));
      CHECK(f.selfIntersections >= static_cast<double>(of.selfIntersections)); // none at rest
      CHECK(f.selfIntersections <= 1.2 * static_cast<double>(of.selfIntersections) + 8.0);
    }
  }
}

TEST_CASE("a candy wrapper shows at its joint and nowhere else") {
  const Bench arm(findDemo("arm").make());
  const std::uint32_t elbow = jointNamed(arm.model, "LowerArm");
  const JointProbe probe = probeJoint(arm.model, arm.rig, elbow);
  JointSweep sweep;
  sweep.rotation = JointRotation::twist;
  const auto F =
      modelFromNodes(arm.model.hierarchy, rotatedJoint(arm.model, arm.rig, probe, sweep, 180.0f));
  const auto linear = posedBy("lbs", arm.rig, F);
  const auto blended = posedBy("bones-blending", arm.rig, F);
  const auto bad = measure(arm.analysis, arm.rig, linear, linear);
  const auto good = measure(arm.analysis, arm.rig, blended, linear);
  CHECK(bad[0].crossSection < 0.03);
  CHECK(bad[arm.findIndex("LowerArm")].crossSection == bad[0].crossSection);
  CHECK(bad[arm.findIndex("UpperArm")].crossSection > 0.99);
  CHECK(bad[arm.findIndex("LowerArm")].selfIntersections > 100.0);
  CHECK(good[0].crossSection > 0.95);
  CHECK(good[0].selfIntersections == 0.0);
  CHECK(good[0].distance > 0.01);
  CHECK(good[0].meanDistance < good[0].distance);
  CHECK(good[0].beyond > 0.0);
  CHECK(bad[0].distance == 0.0);
}

TEST_CASE("a character that a clip's root scales is measured at that scale") {
  Model model = findDemo("arm").make();
  Bench plain(model);
  Pose pose = bindPose(model);
  pose.parentFromNode[0].scale *= 3.0f;
  const auto F = modelFromNodes(model.hierarchy, pose);
  const float scale = computeScale(model, plain.rig, F);
  CHECK(scale == doctest::Approx(3.0f).epsilon(1e-4));
  AnalysisOptions options;
  options.scale = scale;
  const Bench scaled(model, options);
  const auto posed = posedBy("lbs", plain.rig, F);
  const DeformationMetrics f = measure(scaled.analysis, plain.rig, posed, posed)[0];
  CHECK(f.volume == doctest::Approx(1.0).epsilon(1e-3));
  CHECK(f.stretch == doctest::Approx(1.0).epsilon(1e-2));
  CHECK(measure(plain.analysis, plain.rig, posed, posed)[0].volume ==
        doctest::Approx(27.0).epsilon(1e-3));
}

TEST_CASE("what is not defined is not a number, and the rest is in range") {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(12, 12, 3));
       ++seed) {
    CAPTURE(seed);
    const Bench workbench(randomModel(seed));
    Random random(seed);
    Pose pose = bindPose(workbench.model);
    for (Transform& local : pose.parentFromNode)
      local.rotation = randomRotation(random);
    const auto F = modelFromNodes(workbench.model.hierarchy, pose);
    const auto linear = posedBy("lbs", workbench.rig, F);
    for (const Method& method : methods())
      for (const DeformationMetrics& f : measure(workbench.analysis, workbench.rig,
                                                 posedBy(method.name, workbench.rig, F), linear))
        for (const Metric& metric : allMetrics()) {
          CHECK(!std::isinf(f.*metric.value));
          if (metric.key.find("volume") == std::string_view::npos) CHECK(!(f.*metric.value < 0.0));
        }
  }
}

TEST_CASE("of a mesh without a finite triangle no metric is defined") {
  const Bench arm(findDemo("arm").make());
  const std::vector<vec3> nowhere(arm.rig.positions.size(),
                                  vec3(std::numeric_limits<float>::quiet_NaN()));
  const auto isDefined = [](const DeformationMetrics& of, const Metric& metric) {
    return !std::isnan(of.*metric.value);
  };
  for (const DeformationMetrics& of : measure(arm.analysis, arm.rig, nowhere, arm.analysis.rest))
    for (const Metric& metric : allMetrics()) {
      CAPTURE(metric.key);
      CHECK(!isDefined(of, metric));
    }
  const DeformationMetrics whole =
      measure(arm.analysis, arm.rig, arm.analysis.rest, nowhere).front();
  for (const Metric& metric : allMetrics()) {
    CAPTURE(metric.key);
    CHECK(isDefined(whole, metric) == !metric.againstLinear);
  }
  const std::size_t elbow = arm.findIndex("LowerArm");
  CHECK(std::isnan(measureJoint(arm.analysis, arm.rig, elbow, nowhere, true).selfIntersections));
  // Those that are finite are measured.
  std::vector<vec3> mostly = arm.analysis.rest;
  mostly[0] = nowhere[0];
  CHECK(measure(arm.analysis, arm.rig, mostly, arm.analysis.rest).front().distance == 0.0);
}

TEST_CASE("a flat sheet has no volume; a mesh without triangles has nothing; NaN spoils little") {
  Bench arm(findDemo("arm").make());
  std::vector<vec3> posed = arm.analysis.rest;
  posed[5].x = std::numeric_limits<float>::quiet_NaN();
  const DeformationMetrics f = measure(arm.analysis, arm.rig, posed, arm.analysis.rest)[0];
  CHECK(std::isnan(f.volume));
  CHECK(f.stretch == doctest::Approx(1.0));
  CHECK(f.distance == 0.0);
  CHECK(std::isfinite(f.curvature));

  Model flat = findDemo("arm").make();
  for (Mesh& mesh : flat.meshes)
    for (vec3& p : mesh.positions)
      p.z = 0.0f;
  CHECK(std::isnan(measureRest(Bench(flat).analysis, Bench(flat).rig)[0].volume));

  Model empty = findDemo("arm").make();
  empty.meshes.clear();
  const Bench none(std::move(empty));
  REQUIRE(none.analysis.regions.size() == 1);
  for (const Metric& metric : allMetrics())
    CHECK(std::isnan(measureRest(none.analysis, none.rig)[0].*metric.value));
}
