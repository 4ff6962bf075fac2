#include "core/error.h"
#include "demo/demo.h"
#include "skinning/arc_spline.h"
#include "skinning/bezier_spline.h"
#include "skinning/free_spline_test_support.h"
#include "skinning/spline_turns.h"

#include <doctest/doctest.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::freeSplineModel;
using test::skinned;

namespace {

constexpr float kPi = 3.14159265f;
constexpr const char* kNames[] = {"arc-spline", "bezier-spline"};
const Curve* const kCurves[] = {&arcCurve(), &bezierCurve()};

glm::dvec3 placeAt(const Curve& curve, const FreeShape& shape, float x) {
  const CurvePoint at = curve.at(x);
  return shape.p1 + static_cast<double>(at.along12) * shape.d12 +
         static_cast<double>(at.along23) * shape.d23;
}

// Every x at which the distance to the position is smallest, seen from near by, ends included.
std::vector<float> nearestPlaces(const Curve& curve, const FreeShape& shape, const vec3& position) {
  constexpr int kSteps = 4000;
  std::vector<double> distance;
  for (int i = 0; i <= kSteps; ++i)
    distance.push_back(glm::length(
        glm::dvec3(position) - placeAt(curve, shape, curve.end * static_cast<float>(i) / kSteps)));
  std::vector<float> out;
  for (int i = 0; i <= kSteps; ++i) {
    const auto at = [&](int k) { return distance[static_cast<std::size_t>(k)]; };
    if ((i == 0 || at(i - 1) > at(i)) && (i == kSteps || at(i + 1) >= at(i)))
      out.push_back(curve.end * static_cast<float>(i) / kSteps);
  }
  return out;
}

// Whether the position is beyond the centre of curvature of some place of the curve.
bool beyondCurvature(const Curve& curve, const FreeShape& shape, const vec3& position) {
  const double cross = glm::length(glm::cross(shape.d12, shape.d23));
  for (int i = 0; i <= 4000; ++i) {
    const float x = curve.end * static_cast<float>(i) / 4000.0f;
    const CurvePoint at = curve.at(x);
    const glm::dvec3 direction =
        static_cast<double>(at.slope12) * shape.d12 + static_cast<double>(at.slope23) * shape.d23;
    const double length = glm::length(direction);
    const glm::dvec3 towards = glm::cross(shape.normal, direction / length); // B
    const double radius = static_cast<double>(curve.speed) * length * length * length / cross;
    if (glm::dot(glm::dvec3(position) - placeAt(curve, shape, x), towards) > radius) return true;
  }
  return false;
}

float largestMove(const Rig& rig, const SkinnedMesh& mesh) {
  float largest = 0.0f;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    largest = std::max(largest, glm::length(mesh.positions[v] - rig.positions[v]));
  return largest;
}

// What one spline does to a mesh in a pose.
struct OneFree {
  Model model;
  Rig rig;
  FreeShape shape;

  explicit OneFree(std::uint64_t seed, float largestBend = 2.0f)
      : model(freeSplineModel(seed, {1, 300, largestBend, false})), rig(buildRig(model)),
        shape(shapeOf(model.splines[0].points)) {}

  SkinnedMesh posed(const char* name, const Pose& pose, const BindOptions& options = {}) const {
    return skinned(findMethod(name), rig, modelFromNodes(model.hierarchy, pose), options);
  }
  mat4 modelFromBind(const Pose& pose, std::size_t i) const {
    return modelFromNodes(model.hierarchy, pose)[model.splines[0].nodes[i]] *
           model.skins[0].joints[i].jointFromBind;
  }
};

} // namespace

TEST_CASE("free splines: halving space finds the nearest place, as a dense search does") {
  // Where the search finds several places that are nearest from near by, halving takes one of them;
  // that happens only beyond a centre of curvature.
  int ambiguous = 0;
  int compared = 0;
  for (const Curve* curve : kCurves)
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      const FreeShape shape = shapeOf(test::randomSpline(random, 2.8f));
      const vec3 middle(placeAt(*curve, shape, 0.5f * curve->end));
      for (int i = 0; i < 60; ++i) {
        const vec3 position = middle + test::randomPoint(random, 1.0f);
        const std::vector<float> places = nearestPlaces(*curve, shape, position);
        const float x = halveSpace(*curve, shape, position);
        CAPTURE(seed);
        CAPTURE(i);
        float apart = 1e9f;
        for (const float place : places)
          apart = std::min(apart, std::abs(place - x));
        // Near its centre of curvature a circle is as near everywhere: compare distances there.
        const double found = glm::length(glm::dvec3(position) - placeAt(*curve, shape, x));
        double nearest = 1e9;
        for (const float place : places)
          nearest = std::min(nearest, std::abs(found - glm::length(glm::dvec3(position) -
                                                                   placeAt(*curve, shape, place))));
        CHECK((apart < 1e-3f * curve->end || nearest < 1e-6));
        // Steps of a single flat minimum differ by rounding.
        if (places.back() - places.front() > 0.01f * curve->end) {
          CHECK(beyondCurvature(*curve, shape, position));
          ++ambiguous;
        }
        ++compared;
      }
    }
  MESSAGE(ambiguous << " of " << compared << " positions have several nearest places");
  CHECK(ambiguous > 20);
  CHECK(ambiguous < compared / 4);
}

TEST_CASE("free splines: before p1 and after p3 a vertex is bound to the end") {
  for (const Curve* curve : kCurves)
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      const FreeShape shape = shapeOf(test::randomSpline(random, 1.5f));
      const glm::dvec3 end = placeAt(*curve, shape, curve->end);
      CHECK(halveSpace(*curve, shape, vec3(shape.p1 - 0.3 * shape.start)) == 0.0f);
      CHECK(halveSpace(*curve, shape, vec3(end + 0.3 * shape.end)) == curve->end);
    }
}

TEST_CASE("free splines: without movement every vertex stays, curved splines or not") {
  for (const char* name : kNames)
    for (const float bend : {0.0f, 1e-6f, 1e-3f, 1.0f, 2.8f})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(name);
        CAPTURE(bend);
        CAPTURE(seed);
        test::FreeModelOptions options;
        options.largestBend = bend;
        const Model model = freeSplineModel(seed, options);
        const Rig rig = buildRig(model);
        const SkinnedMesh out = skinned(findMethod(name), rig,
                                        modelFromNodes(model.hierarchy, restPose(model.hierarchy)));
        CHECK(largestMove(rig, out) < 1e-6f * boundsOf(rig.positions).size());
        for (std::size_t v = 0; v < out.normals.size(); ++v)
          CHECK(glm::length(out.normals[v] - rig.normals[v]) < 1e-5f);
      }
}

TEST_CASE("free splines: one motion of all nodes, also scaled and mirrored, moves all alike") {
  for (const char* name : kNames)
    for (const vec3& scale : {vec3(1), vec3(1.7f), vec3(-1, 1, 1), vec3(0.6f, -0.6f, 0.6f)})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(name);
        CAPTURE(seed);
        CAPTURE(scale.x);
        const Model model = freeSplineModel(seed);
        const Rig rig = buildRig(model);
        Random random(seed);
        const Transform motion{{1, -2, 3}, randomRotation(random), scale};
        Pose pose = restPose(model.hierarchy);
        pose.parentFromNode[0] = motion;
        const SkinnedMesh out =
            skinned(findMethod(name), rig, modelFromNodes(model.hierarchy, pose));
        for (std::size_t v = 0; v < out.positions.size(); ++v)
          CHECK(glm::length(out.positions[v] - transformPoint(matrixOf(motion), rig.positions[v])) <
                2e-5f);
      }
}

TEST_CASE("free splines: beyond the ends the skin does what the end's node does, also stretched") {
  for (const char* name : kNames)
    for (const bool stretch : {false, true})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(name);
        CAPTURE(seed);
        const OneFree one(seed);
        Random random(seed);
        Pose pose = restPose(one.model.hierarchy);
        for (Transform& t : pose.parentFromNode)
          if (stretch) t.scale = vec3(random.uniform(0.7f, 1.4f), 1.0f, random.uniform(0.7f, 1.4f));
        // Turns that leave the ends' tangents with their nodes: of the first two, and a twist.
        const auto& nodes = one.model.splines[0].nodes;
        pose.parentFromNode[nodes[0]].rotation = randomRotation(random);
        pose.parentFromNode[nodes[1]].rotation = randomRotation(random);
        setSplineTwist(one.model, 0, 0.9f, pose);
        const SkinnedMesh out = one.posed(name, pose);
        const mat4 first = one.modelFromBind(pose, 0);
        const mat4 third = one.modelFromBind(pose, 2);
        const glm::dvec3 p3 = one.shape.p1 + one.shape.d12 + one.shape.d23;
        const vec3 posedEnd = glm::normalize(
            vec3(third * vec4(one.model.splines[0].points[2], 1)) -
            vec3(one.modelFromBind(pose, 1) * vec4(one.model.splines[0].points[1], 1)));
        const bool endKept =
            glm::dot(posedEnd, glm::normalize(mat3(third) * vec3(one.shape.end))) > 1.0f - 1e-6f;
        const float size = boundsOf(out.positions).size();
        const Curve& curve = *kCurves[std::string_view(name) == "arc-spline" ? 0 : 1];
        const float end = curve.end;
        for (std::size_t v = 0; v < out.positions.size(); ++v) {
          const vec3& p = one.rig.positions[v];
          const float x = halveSpace(curve, one.shape, p);
          if (x == 0.0f && glm::dot(glm::dvec3(p) - one.shape.p1, one.shape.start) <= 0.0)
            CHECK(glm::length(out.positions[v] - transformPoint(first, p)) < 1e-5f * size);
          if (x == end && glm::dot(glm::dvec3(p) - p3, one.shape.end) >= 0.0 && endKept)
            CHECK(glm::length(out.positions[v] - transformPoint(third, p)) < 1e-5f * size);
        }
        if (!stretch) CHECK(endKept);
      }
}

TEST_CASE("free splines: whatever the pose, each end is rigid and keeps its control point") {
  for (const char* name : kNames)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(name);
      CAPTURE(seed);
      const OneFree one(seed);
      const Pose pose = test::randomFreePose(one.model, seed);
      const SkinnedMesh out = one.posed(name, pose);
      const auto points = posedPoints(one.model, 0, modelFromNodes(one.model.hierarchy, pose));
      const glm::dvec3 p3 = one.shape.p1 + one.shape.d12 + one.shape.d23;
      int outside = 0;
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const glm::dvec3 p(one.rig.positions[v]);
        const Curve& curve = *kCurves[std::string_view(name) == "arc-spline" ? 0 : 1];
        const float x = halveSpace(curve, one.shape, one.rig.positions[v]);
        if (x > 0.0f && x < curve.end) continue;
        const bool first = x == 0.0f;
        CHECK(static_cast<double>(glm::length(out.positions[v] - points[first ? 0 : 2])) ==
              doctest::Approx(glm::length(p - (first ? one.shape.p1 : p3))).epsilon(1e-4));
        ++outside;
      }
      CHECK(outside > 20);
    }
}

TEST_CASE("free splines: roll and twist are read as they were set, and move no control point") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Model model = freeSplineModel(seed);
    Pose pose = test::randomFreePose(model, seed);
    Random random(seed);
    for (std::size_t s = 0; s < model.splines.size(); ++s) {
      const float twist = random.uniform(-3.1f, 3.1f);
      const auto before = posedPoints(model, s, modelFromNodes(model.hierarchy, pose));
      setSplineTwist(model, s, twist, pose);
      CHECK(splineTwist(model, s, pose) == doctest::Approx(twist).epsilon(1e-4));
      const auto after = posedPoints(model, s, modelFromNodes(model.hierarchy, pose));
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(glm::length(after[i] - before[i]) < 1e-5f);

      const float roll = random.uniform(-3.1f, 3.1f);
      setSplineRoll(model, s, roll, pose);
      CHECK(splineRoll(model, s, pose) == doctest::Approx(roll).epsilon(1e-4));
      CHECK(splineTwist(model, s, pose) == doctest::Approx(twist).epsilon(1e-3)); // turns with it
      CHECK(glm::length(posedPoints(model, s, modelFromNodes(model.hierarchy, pose))[0] -
                        after[0]) < 1e-5f);
    }
  }
  const Model model = freeSplineModel(3);
  CHECK(splineRoll(model, 0, restPose(model.hierarchy)) == 0.0f);
  CHECK(std::abs(splineTwist(model, 0, restPose(model.hierarchy))) < 1e-5f);
}

TEST_CASE("free splines: a twist keeps every vertex's distance from the curve") {
  for (const float twist : {-3.1f, -1.0f, 0.5f, kPi})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(twist);
      CAPTURE(seed);
      const OneFree one(seed);
      Pose pose = restPose(one.model.hierarchy);
      setSplineTwist(one.model, 0, twist, pose);
      const SkinnedMesh out = one.posed("arc-spline", pose);
      float moved = 0.0f;
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const float x = halveSpace(arcCurve(), one.shape, one.rig.positions[v]);
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
  for (const char* name : kNames) {
    const OneFree one(5);
    const auto& nodes = one.model.splines[0].nodes;
    SkinnedMesh last;
    for (int i = 0; i <= 2000; ++i) {
      const float u = static_cast<float>(i) / 2000.0f;
      Pose pose = restPose(one.model.hierarchy);
      const float around = 6.0f * kPi * u;
      const vec3 axis =
          glm::normalize(glm::angleAxis(around, vec3(one.shape.start)) * vec3(one.shape.normal));
      const mat3 nodeFromBind(one.model.skins[0].joints[1].jointFromBind);
      pose.parentFromNode[nodes[1]].rotation =
          pose.parentFromNode[nodes[1]].rotation *
          glm::angleAxis(1.2f * std::sin(4.0f * kPi * u), nodeFromBind * axis);
      SkinnedMesh now = one.posed(name, pose);
      float largest = 0.0f;
      for (std::size_t v = 0; i > 0 && v < now.positions.size(); ++v)
        largest = std::max(largest, glm::length(now.positions[v] - last.positions[v]));
      CAPTURE(name);
      CAPTURE(i);
      CHECK(largest < 0.12f);
      last = std::move(now);
    }
  }
}

TEST_CASE("free splines: control points dragged on to each other leave all finite") {
  for (const char* name : kNames)
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

TEST_CASE("free splines: exact normals are those of the moved surface, by finite differences") {
  for (const char* name : kNames)
    for (const bool stretch : {false, true}) {
      int inside = 0;
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(name);
        CAPTURE(stretch);
        CAPTURE(seed);
        OneFree one(seed, 1.5f);
        Pose pose = restPose(one.model.hierarchy);
        Random random(seed);
        for (Transform& t : pose.parentFromNode) {
          t.rotation = t.rotation * glm::angleAxis(0.4f, randomDirection(random));
          if (stretch) t.scale = vec3(random.uniform(0.8f, 1.25f), 1.0f, 1.1f);
        }
        setSplineTwist(one.model, 0, 0.8f, pose);
        BindOptions options;
        options.parameters = {0, 3, 0, 1};
        const SkinnedMesh out = one.posed(name, pose, options);
        const auto stepped = [&](bool second, float step) {
          OneFree moved = one;
          for (std::size_t v = 0; v < moved.rig.positions.size(); ++v) {
            const vec3& n = one.rig.normals[v];
            const vec3 u =
                glm::normalize(glm::cross(n, std::abs(n.z) < 0.6f ? vec3(0, 0, 1) : vec3(1, 0, 0)));
            moved.rig.positions[v] += step * (second ? glm::cross(n, u) : u);
          }
          return moved.posed(name, pose, options).positions;
        };
        const float h = 1e-3f;
        const auto u1 = stepped(false, h), u0 = stepped(false, -h);
        const auto v1 = stepped(true, h), v0 = stepped(true, -h);
        const Curve& curve = *kCurves[std::string_view(name) == "arc-spline" ? 0 : 1];
        for (std::size_t v = 0; v < out.positions.size(); ++v) {
          // At the ends there is a kink; near a centre of curvature x runs away from the step.
          const vec3& p = one.rig.positions[v];
          const float x = halveSpace(curve, one.shape, p);
          if (x <= 0.01f || x >= 0.99f * curve.end || beyondCurvature(curve, one.shape, p) ||
              glm::length(glm::dvec3(p) - placeAt(curve, one.shape, x)) > 0.25)
            continue;
          const vec3 difference = glm::cross(u1[v] - u0[v], v1[v] - v0[v]) / (4.0f * h * h);
          if (glm::length(difference) < 0.05f) continue; // folded: no surface to speak of
          CHECK(std::abs(glm::dot(glm::normalize(difference), out.normals[v])) > 0.999f);
          ++inside;
        }
      }
      CHECK(inside > 20);
    }
}

TEST_CASE("free splines: a rigid mesh and one painted no splines follow their joints") {
  Model model = freeSplineModel(7);
  Mesh rigid = model.meshes[0];
  rigid.skin.reset();
  rigid.node = model.splines[1].nodes[1];
  rigid.influences = {};
  rigid.splineInfluences = {};
  model.meshes.push_back(rigid);
  Mesh plain = model.meshes[0];
  plain.splineInfluences = {};
  model.meshes.push_back(plain);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, test::randomFreePose(model, 8));
  const SkinnedMesh splines = skinned(findMethod("arc-spline"), rig, nodes);
  const SkinnedMesh linear = skinned(findMethod("lbs"), rig, nodes);
  for (std::size_t v = rig.meshes[1].firstVertex; v < rig.positions.size(); ++v)
    CHECK(glm::length(splines.positions[v] - linear.positions[v]) < 1e-5f);
}
