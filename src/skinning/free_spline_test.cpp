// Binding to free splines: the place on a curved spline, and what must hold of every rig.
#include "core/test_effort.h"
#include "skinning/free_spline_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

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

} // namespace

TEST_CASE("free splines: halving space finds the nearest place, as a dense search does") {
  // Where the search finds several places that are nearest from near by, halving takes one of them;
  // that happens only beyond a centre of curvature.
  int ambiguous = 0;
  int compared = 0;
  for (const Curve* curve : {&arcCurve(), &bezierCurve()})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      const FreeShape shape = makeFreeShape(randomSpline(random, 2.8f));
      const vec3 middle(placeAt(*curve, shape, 0.5f * curve->end));
      for (int i = 0; i < 60; ++i) {
        const vec3 position = middle + randomPoint(random, 1.0f);
        const std::vector<float> places = nearestPlaces(*curve, shape, position);
        const float x = projectToCurve(*curve, shape, position);
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
  SINEW_FIGURE(ambiguous << " of " << compared << " positions have several nearest places");
  CHECK(ambiguous > 20);
  CHECK(ambiguous < compared / 4);
}

TEST_CASE("free splines: before p1 and after p3 a vertex is bound to the end") {
  for (const Curve* curve : {&arcCurve(), &bezierCurve()})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed);
      const FreeShape shape = makeFreeShape(randomSpline(random, 1.5f));
      const glm::dvec3 end = placeAt(*curve, shape, curve->end);
      CHECK(projectToCurve(*curve, shape, vec3(shape.p1 - 0.3 * shape.start)) == 0.0f);
      CHECK(projectToCurve(*curve, shape, vec3(end + 0.3 * shape.end)) == curve->end);
    }
}

TEST_CASE("free splines: in the bind pose no vertex moves, curved splines or not") {
  for (const char* name : kSplineNames)
    for (const float bend : {0.0f, 1e-6f, 1e-3f, 1.0f, 2.8f})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(name);
        CAPTURE(bend);
        CAPTURE(seed);
        FreeModelOptions options;
        options.largestBend = bend;
        const Model model = freeSplineModel(seed, options);
        const Rig rig = buildRig(model);
        const SkinnedMesh out = skinned(findMethod(name), rig,
                                        modelFromNodes(model.hierarchy, restPose(model.hierarchy)));
        CHECK(largestMove(rig.positions, out.positions) <
              1e-6f * computeBounds(rig.positions).size());
        for (std::size_t v = 0; v < out.normals.size(); ++v)
          CHECK(glm::length(out.normals[v] - rig.normals[v]) < 1e-5f);
      }
}

TEST_CASE("free splines: a common motion of all nodes, also scaled and mirrored, is applied to "
          "every vertex") {
  for (const char* name : kSplineNames)
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
          CHECK(glm::length(out.positions[v] - transformPoint(toMatrix(motion), rig.positions[v])) <
                2e-5f);
      }
}

TEST_CASE("free splines: exact normals are those of the moved surface, by finite differences") {
  for (const char* name : kSplineNames)
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
        one.twist(0.8f, pose);
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
        const Curve& curve = getCurve(name);
        for (std::size_t v = 0; v < out.positions.size(); ++v) {
          // At the ends there is a kink; near a centre of curvature x runs away from the step.
          const vec3& p = one.rig.positions[v];
          const float x = projectToCurve(curve, one.shape, p);
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
  const auto nodes = modelFromNodes(model.hierarchy, randomFreePose(model, 8));
  const SkinnedMesh splines = skinned(findMethod("arc-spline"), rig, nodes);
  const SkinnedMesh linear = skinned(findMethod("lbs"), rig, nodes);
  for (std::size_t v = rig.meshes[1].firstVertex; v < rig.positions.size(); ++v)
    CHECK(glm::length(splines.positions[v] - linear.positions[v]) < 1e-5f);
}
