// Free splines in poses: their ends, roll and twist, and what a user may drag them into.
#include "animation/sample.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "metrics/self_intersection.h"
#include "skinning/free_spline_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr float kStraightAngle = 3.14159265f;

} // namespace

TEST_CASE("free splines: beyond the ends the skin does what the end's node does, also stretched") {
  for (const char* name : kSplineNames)
    for (const bool stretch : {false, true})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(name);
        CAPTURE(seed);
        const OneFree one(seed);
        Random random(seed);
        Pose pose = restPose(one.model.hierarchy);
        for (Transform& t : pose.parentFromNode)
          if (stretch) t.scale = vec3(random.uniform(0.7f, 1.4f), 1.0f, random.uniform(0.7f, 1.4f));
        // Rotations of the first two nodes, and a twist: they keep each end's tangent fixed to its
        // node.
        const auto& nodes = one.model.splines[0].nodes;
        pose.parentFromNode[nodes[0]].rotation = randomRotation(random);
        pose.parentFromNode[nodes[1]].rotation = randomRotation(random);
        one.twist(0.9f, pose);
        const SkinnedMesh out = one.posed(name, pose);
        const mat4 first = one.modelFromBind(pose, 0);
        const mat4 third = one.modelFromBind(pose, 2);
        const glm::dvec3 p3 = one.shape.p1 + one.shape.d12 + one.shape.d23;
        const vec3 posedEnd = glm::normalize(
            vec3(third * vec4(one.model.splines[0].points[2], 1)) -
            vec3(one.modelFromBind(pose, 1) * vec4(one.model.splines[0].points[1], 1)));
        const bool endFixed =
            glm::dot(posedEnd, glm::normalize(mat3(third) * vec3(one.shape.end))) > 1.0f - 1e-6f;
        const float size = computeBounds(out.positions).size();
        const Curve& curve = getCurve(name);
        const float end = curve.end;
        for (std::size_t v = 0; v < out.positions.size(); ++v) {
          const vec3& p = one.rig.positions[v];
          const float x = projectToCurve(curve, one.shape, p);
          if (x == 0.0f && glm::dot(glm::dvec3(p) - one.shape.p1, one.shape.start) <= 0.0)
            CHECK(glm::length(out.positions[v] - transformPoint(first, p)) < 1e-5f * size);
          if (x == end && glm::dot(glm::dvec3(p) - p3, one.shape.end) >= 0.0 && endFixed)
            CHECK(glm::length(out.positions[v] - transformPoint(third, p)) < 1e-5f * size);
        }
        if (!stretch) CHECK(endFixed);
      }
}

TEST_CASE("free splines: whatever the pose, each end is rigid and keeps its control point") {
  for (const char* name : kSplineNames)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(name);
      CAPTURE(seed);
      const OneFree one(seed);
      const Pose pose = randomFreePose(one.model, seed);
      const SkinnedMesh out = one.posed(name, pose);
      const auto points = posedControlPoints(one.rig, 0, modelFromNodes(one.model.hierarchy, pose));
      const glm::dvec3 p3 = one.shape.p1 + one.shape.d12 + one.shape.d23;
      int outside = 0;
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const glm::dvec3 p(one.rig.positions[v]);
        const Curve& curve = getCurve(name);
        const float x = projectToCurve(curve, one.shape, one.rig.positions[v]);
        if (x > 0.0f && x < curve.end) continue;
        const bool first = x == 0.0f;
        CHECK(static_cast<double>(glm::length(out.positions[v] - points[first ? 0 : 2])) ==
              doctest::Approx(glm::length(p - (first ? one.shape.p1 : p3))).epsilon(1e-4));
        ++outside;
      }
      CHECK(outside > 20);
    }
}

TEST_CASE("free splines: a twist of any size reads back, and is what vertices get") {
  const Model model = findDemo("body-arm-splines").make();
  const Rig rig = buildRig(model);
  const Method& method = findMethod("arc-spline");
  const Binding binding = method.bind(rig, {});
  for (std::uint32_t s = 0; s < model.splines.size(); ++s) {
    const auto getTwist = [&](const Pose& of) {
      return splineRotation(model.hierarchy, rig, s, of).twist;
    };
    Pose pose = restPose(model.hierarchy);
    for (int k = -15; k <= 15; ++k) {
      CAPTURE(k);
      const float twist = glm::radians(40.0f * static_cast<float>(k));
      setSplineRotation(model.hierarchy, rig, s, pose, {0.0f, twist});
      CHECK(getTwist(pose) == doctest::Approx(twist).epsilon(1e-4).scale(1.0));
      const Pose again = poseFromJson(model, poseToJson(model, pose), "pose");
      CHECK(getTwist(again) == doctest::Approx(twist).epsilon(1e-4).scale(1.0));
      const Pose half = blend(pose, pose, 0.5f);
      CHECK(getTwist(half) == doctest::Approx(twist).epsilon(1e-4).scale(1.0));
      Palette palette;
      packPalette(method, rig, binding, modelFromNodes(model.hierarchy, pose), palette,
                  pose.twists);
      float largest = 0.0f;
      for (std::size_t i = 0; i < rig.splines.size(); ++i)
        largest = std::max(largest, std::abs(palette.rows[binding.rowsPerEntry * i + 1].w));
      CHECK(largest == doctest::Approx(std::abs(twist)).epsilon(1e-3).scale(1.0));
    }
  }
}

TEST_CASE("free splines: a twist keeps every vertex's distance from the curve") {
  for (const float twist : {-3.1f, -1.0f, 0.5f, kStraightAngle})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(twist);
      CAPTURE(seed);
      const OneFree one(seed);
      Pose pose = restPose(one.model.hierarchy);
      one.twist(twist, pose);
      const SkinnedMesh out = one.posed("arc-spline", pose);
      float moved = 0.0f;
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const float x = projectToCurve(arcCurve(), one.shape, one.rig.positions[v]);
        const glm::dvec3 place = placeAt(arcCurve(), one.shape, x);
        CHECK(glm::length(glm::dvec3(out.positions[v]) - place) ==
              doctest::Approx(glm::length(glm::dvec3(one.rig.positions[v]) - place)).epsilon(1e-4));
        moved = std::max(moved, glm::length(out.positions[v] - one.rig.positions[v]));
      }
      CHECK(moved > 0.1f);
    }
}

TEST_CASE("free splines: small steps of the control points move every vertex by small steps") {
  // Through straight, through folded far back, and round about: no frame may spin.
  for (const char* name : kSplineNames) {
    const OneFree one(5);
    const auto& nodes = one.model.splines[0].nodes;
    SkinnedMesh last;
    for (int i = 0; i <= test::rounds(2000, 400); ++i) {
      const float u = static_cast<float>(i) / 2000.0f;
      Pose pose = restPose(one.model.hierarchy);
      const float around = 6.0f * kStraightAngle * u;
      const vec3 axis =
          glm::normalize(glm::angleAxis(around, vec3(one.shape.start)) * vec3(one.shape.normal));
      const mat3 nodeFromBind(one.model.skins[0].joints[1].jointFromBind);
      pose.parentFromNode[nodes[1]].rotation =
          pose.parentFromNode[nodes[1]].rotation *
          glm::angleAxis(1.2f * std::sin(4.0f * kStraightAngle * u), nodeFromBind * axis);
      SkinnedMesh now = one.posed(name, pose);
      CAPTURE(name);
      CAPTURE(i);
      if (i > 0) CHECK(largestMove(last.positions, now.positions) < 0.12f);
      last = std::move(now);
    }
  }
}

TEST_CASE("free splines: control points dragged on to each other leave all finite") {
  for (const char* name : kSplineNames)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const OneFree one(seed);
      for (const std::size_t moved : {1U, 2U})
        for (const float scale : {1.0f, 0.0f}) {
          Pose pose = restPose(one.model.hierarchy);
          pose.parentFromNode[one.model.splines[0].nodes[moved]].translation *= 0.0f;
          pose.parentFromNode[one.model.splines[0].nodes[2]].scale = vec3(scale);
          const SkinnedMesh out = one.posed(name, pose);
          for (std::size_t v = 0; v < out.positions.size(); ++v) {
            CHECK(std::isfinite(out.positions[v].x + out.positions[v].y + out.positions[v].z));
            CHECK(std::isfinite(out.normals[v].x + out.normals[v].y + out.normals[v].z));
          }
        }
    }
}

TEST_CASE("free splines: one hung on another's end goes with it rigidly") {
  const Model model = findDemo("body-arm-splines").make();
  REQUIRE(model.splines.size() == 3);
  CHECK(model.hierarchy.nodes[model.splines[1].nodes[0]].parent == model.splines[0].nodes[2]);
  CHECK(model.hierarchy.nodes[model.splines[2].nodes[0]].parent == model.splines[1].nodes[2]);
  const Rig rig = buildRig(model);
  Pose pose = restPose(model.hierarchy);
  pose.parentFromNode[model.splines[0].nodes[1]].rotation = glm::angleAxis(0.7f, vec3(0, 0, 1));
  pose.parentFromNode[model.splines[0].nodes[2]].rotation = glm::angleAxis(-0.5f, vec3(0, 1, 0));
  const auto nodes = modelFromNodes(model.hierarchy, pose);
  const SkinnedMesh out = skinned(findMethod("arc-spline"), rig, nodes);
  const mat4 moved = nodes[model.splines[0].nodes[2]] * model.skins[0].joints[2].jointFromBind;
  int arm = 0;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    if (rig.positions[v].x > 0.6f) {
      CHECK(glm::length(out.positions[v] - transformPoint(moved, rig.positions[v])) < 2e-6f);
      ++arm;
    }
  CHECK(arm > 1000);
}

TEST_CASE("free splines: the body-arm does not pass through itself in the paper's poses") {
  // Figure 6: "even the large scale deformation near the shoulder does not result in
  // self-penetration".
  const Model model = findDemo("body-arm-splines").make();
  const Rig rig = buildRig(model);
  std::vector<std::uint32_t> all(rig.triangles.size());
  std::iota(all.begin(), all.end(), 0U);
  const auto places = weldVertices(rig);
  for (const Clip& clip : model.clips)
    for (const float part : {0.25f, 0.5f}) {
      CAPTURE(clip.name);
      CAPTURE(part);
      const auto nodes =
          modelFromNodes(model.hierarchy, sample(model.hierarchy, clip, part * clip.seconds));
      const auto crossings = [&](const char* method) {
        const SkinnedMesh out = skinned(findMethod(method), rig, nodes);
        return selfIntersections(out.positions, rig.triangles, all, places).size();
      };
      CHECK(crossings("arc-spline") == 0);
      if (part == 0.5f) CHECK(crossings("lbs") > 20);
    }
}
