// Direct delta mush: what must hold (docs/methods.md), and delta mush itself for comparison.
#include "core/polar.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "metrics/limb_test_support.h"
#include "rig/smoothed_weights.h"
#include "skinning/method_entries.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <array>

using namespace sinew;

namespace {

enum : std::size_t { kLambda, kRounds, kAlpha, kKappa, kLimit };

BindOptions ddmOptions(float lambda, float rounds, float limit, float alpha = 0.0f) {
  BindOptions options{.influences = 12, .parameters = {0, 0, 0, 0, 0}};
  options.parameters[kLambda] = lambda;
  options.parameters[kRounds] = rounds;
  options.parameters[kAlpha] = alpha;
  options.parameters[kKappa] = 1.0f;
  options.parameters[kLimit] = limit;
  return options;
}

// Positions of all places, smoothed.
std::vector<vec3> smoothed(const SurfaceSmoothing& surface, SmoothingStrength strength,
                           std::span<const vec3> positions) {
  std::vector<double> values;
  for (std::size_t point = 0; point < surface.pointCount(); ++point) {
    const glm::dvec3 position(positions[surface.vertexAt(point)]);
    values.insert(values.end(), {position.x, position.y, position.z, 0.0});
  }
  surface.smooth(strength, 4, values);
  std::vector<vec3> out;
  for (std::size_t point = 0; point < surface.pointCount(); ++point)
    out.emplace_back(values[4 * point], values[4 * point + 1], values[4 * point + 2]);
  return out;
}

// Delta mush (Mancewicz et al. 2014): the linearly blended mesh is smoothed, and each vertex's
// offset from its smoothed place, kept in the bind pose, is turned with the surface about it: with
// the rotation nearest to what the edges about the place and the normal there have done.
std::vector<vec3> deltaMush(const Rig& rig, const SurfaceSmoothing& surface,
                            SmoothingStrength strength, std::span<const vec3> linear) {
  const std::vector<vec3> rest = smoothed(surface, strength, rig.positions);
  const std::vector<vec3> posed = smoothed(surface, strength, linear);
  std::vector<vec3> restNormals(rest.size(), vec3(0.0f));
  std::vector<vec3> posedNormals(rest.size(), vec3(0.0f));
  for (const Triangle& t : rig.triangles) {
    const std::array at{surface.getPoint(t[0]), surface.getPoint(t[1]), surface.getPoint(t[2])};
    for (const std::uint32_t point : at) {
      restNormals[point] += glm::cross(rest[at[1]] - rest[at[0]], rest[at[2]] - rest[at[0]]);
      posedNormals[point] += glm::cross(posed[at[1]] - posed[at[0]], posed[at[2]] - posed[at[0]]);
    }
  }
  std::vector<vec3> out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const std::uint32_t i = surface.getPoint(v);
    glm::dmat3 turned(0.0);
    double extent = 0.0;
    for (const std::uint32_t k : surface.neighbours(i)) {
      turned += glm::outerProduct(glm::dvec3(posed[k] - posed[i]), glm::dvec3(rest[k] - rest[i]));
      extent += glm::dot(glm::dvec3(rest[k] - rest[i]), glm::dvec3(rest[k] - rest[i]));
    }
    const auto unit = [](const vec3& n) {
      return glm::length(n) > 0.0f ? glm::dvec3(glm::normalize(n)) : glm::dvec3(0.0);
    };
    turned += extent * glm::outerProduct(unit(posedNormals[i]), unit(restNormals[i]));
    out.push_back(posed[i] +
                  vec3(nearestRotation(turned) * glm::dvec3(rig.positions[v] - rest[i])));
  }
  return out;
}

} // namespace

TEST_CASE("smoothing: the series solves the equations of every round") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Rig rig = buildRig(randomModel(seed));
    const SurfaceSmoothing surface(rig);
    Random random(seed);
    const double lambda = static_cast<double>(random.uniform(0.1f, 20.0f));
    std::vector<double> values;
    for (std::size_t i = 0; i < 4 * surface.pointCount(); ++i)
      values.push_back(static_cast<double>(random.uniform(-1.0f, 1.0f)));
    std::vector<double> once = values;
    surface.smooth({lambda, 1}, 4, once);
    // (I + lambda L) x = b.
    for (std::size_t point = 0; point < surface.pointCount(); ++point)
      for (std::size_t c = 0; c < 4; ++c) {
        double mean = 0.0;
        const auto near = surface.neighbours(point);
        for (const std::uint32_t other : near)
          mean += once[std::size_t{4} * other + c] / static_cast<double>(near.size());
        if (near.empty()) mean = once[4 * point + c];
        const double x = once[4 * point + c];
        CHECK(std::abs(x + lambda * (x - mean) - values[4 * point + c]) < 1e-7);
      }
    std::vector<double> twice = once;
    surface.smooth({lambda, 1}, 4, twice);
    std::vector<double> both = values;
    surface.smooth({lambda, 2}, 4, both);
    for (std::size_t i = 0; i < both.size(); ++i)
      CHECK(std::abs(both[i] - twice[i]) < 1e-8);
  }
}

TEST_CASE("smoothing near some points is that of values that are 0 elsewhere") {
  const Rig rig = buildRig(findDemo("humanoid").make());
  const SurfaceSmoothing surface(rig);
  std::vector<double> everywhere(surface.pointCount(), 0.0);
  SurfaceSmoothing::LocalValues local;
  for (std::uint32_t point = 3; point < 40; point += 4) {
    local.points.push_back(point);
    local.values.push_back(1.0 + point);
    everywhere[point] = 1.0 + point;
  }
  const SmoothingStrength strength{2.0, 4};
  const std::vector<std::uint32_t> given = local.points;
  local = surface.smoothNear(strength, 1, local);
  surface.smooth(strength, 1, everywhere);
  CHECK(std::equal(given.begin(), given.end(), local.points.begin()));
  CHECK(local.points.size() < surface.pointCount() / 2);
  for (std::size_t i = 0; i < local.points.size(); ++i) {
    CHECK(local.values[i] == doctest::Approx(everywhere[local.points[i]]).epsilon(1e-12));
    everywhere[local.points[i]] = 0.0;
  }
  for (const double rest : everywhere)
    CHECK(rest == 0.0);
}

TEST_CASE("direct delta mush: without rounds it is linear blending") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const RandomModelOptions options{.influences = 4};
    const Model model = randomModel(seed, options);
    const Rig rig = buildRig(model);
    const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, seed, options));
    const SkinnedMesh out = test::skinned(ddmMethod(), rig, nodes, ddmOptions(4, 0, 8));
    const SkinnedMesh linear = test::skinned(findMethod("lbs"), rig, nodes);
    for (std::size_t v = 0; v < rig.positions.size(); ++v)
      CHECK(glm::length(out.positions[v] - linear.positions[v]) < 2e-5f);
  }
}

TEST_CASE("direct delta mush: the smoothed centers are delta mush's, the details nearly") {
  for (const bool rigid : {false, true}) {
    CAPTURE(rigid);
    const test::Limb arm(findDemo("arm").make(), "LowerArm");
    Rig rig = arm.rig;
    if (rigid) test::bindToOneBone(rig);
    const SurfaceSmoothing surface(rig);
    const SmoothingStrength strength{4.0, 4};
    const float size = computeBounds(rig.positions).size();
    for (const JointRotation rotation : {JointRotation::bend, JointRotation::twist}) {
      JointSweep sweep;
      sweep.rotation = rotation;
      const auto nodes = modelFromNodes(arm.model.hierarchy,
                                        rotatedJoint(arm.model, rig, arm.probe, sweep, 90.0f));
      const SkinnedMesh linear = test::skinned(findMethod("lbs"), rig, nodes);
      const SkinnedMesh out = test::skinned(ddmMethod(), rig, nodes, ddmOptions(4, 4, 8));
      const std::vector<vec3> expected = deltaMush(rig, surface, strength, linear.positions);
      double sum = 0.0;
      float largest = 0.0f;
      for (std::size_t v = 0; v < expected.size(); ++v) {
        const float off = glm::length(out.positions[v] - expected[v]) / size;
        largest = std::max(largest, off);
        sum += static_cast<double>(off);
      }
      SINEW_FIGURE("mean " << sum / static_cast<double>(expected.size()) << ", largest "
                           << largest);
      CHECK(sum / static_cast<double>(expected.size()) < 2e-4);
      CHECK(largest < 0.01f);
    }
  }
}

TEST_CASE("direct delta mush: what is kept is the largest, renormalised about its own middle") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const Rig rig = buildRig(randomModel(seed));
    const SurfaceSmoothing surface(rig);
    for (const double alpha : {0.0, 0.6}) {
      SmoothedWeightsOptions options{{3.0, 3}, 1.0, alpha, 5};
      const SmoothedWeights found = smoothedWeights(rig, rig.influences, surface, options);
      REQUIRE(found.influences.count() == surface.pointCount());
      for (std::size_t point = 0; point < surface.pointCount(); ++point) {
        const auto all = found.influences.of(point);
        CHECK(all.size() <= 5);
        double weight = 0.0;
        glm::dvec3 first(0.0);
        for (const SmoothedInfluence& influence : all) {
          CHECK(influence.weight > 0.0);
          weight += influence.weight;
          first += influence.first;
        }
        CHECK(std::abs(weight - 1.0) < 1e-9);
        CHECK(glm::length(first) < 1e-9);
      }
      options.limit = 100;
      CHECK(smoothedWeights(rig, rig.influences, surface, options).largestCut == 0.0);
    }
  }
}

TEST_CASE("direct delta mush: a mesh bound to one joint a vertex bends smoothly") {
  const Model model = findDemo("humanoid").make();
  Rig rig = buildRig(model);
  test::bindToOneBone(rig);
  const test::Limb elbow(model, "LeftLowerArm");
  JointSweep sweep;
  const auto nodes =
      modelFromNodes(model.hierarchy, rotatedJoint(model, elbow.rig, elbow.probe, sweep, 60.0f));
  const auto longest = [&](const Method& method) {
    const std::vector<vec3> posed = test::skinned(method, rig, nodes).positions;
    float longestEdge = 0.0f;
    for (const auto& [a, b] : elbow.probe.edges)
      longestEdge =
          std::max(longestEdge, glm::length(posed[a] - posed[b]) /
                                    glm::length(elbow.probe.rest[a] - elbow.probe.rest[b]));
    return longestEdge;
  };
  CHECK(longest(findMethod("rigid")) > 2.5f); // torn
  CHECK(longest(ddmMethod()) < 1.8f);
}

TEST_CASE("direct delta mush: morph targets move the vertex alone, as its surroundings turn") {
  Model model = randomModel(7);
  addRandomMorphs(model, 4, 7);
  const Rig rig = buildRig(model);
  const Binding binding = ddmMethod().bind(rig, {});
  Palette palette;
  packPalette(ddmMethod(), rig, binding, modelFromNodes(model.hierarchy, randomPose(model, 8)),
              palette);
  MorphedVertices morphed;
  applyMorphs(rig, randomWeights(model, 9), morphed);
  SkinnedMesh plain;
  SkinnedMesh moved;
  ddmMethod().skin(rig, binding, palette, plain);
  ddmMethod().skin(BindVertices(rig, morphed), binding, palette, moved);
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    CHECK(std::abs(glm::length(moved.positions[v] - plain.positions[v]) -
                   glm::length(morphed.positions[v] - rig.positions[v])) < 1e-5f);
}
