// The splines' parameters that change the storage and the mixing of a vertex, not its position.
#include "core/error.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "skinning/free_spline_test_support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::freeSplineModel;
using test::OneSpline;
using test::skinned;

namespace {

constexpr const char* kNames[] = {"arc-spline", "bezier-spline"};

// {parameter-source, attachments, evaluation, normals, mixing, storage}
BindOptions choose(std::vector<float> parameters) {
  BindOptions options;
  options.parameters = std::move(parameters);
  return options;
}

float largestDifference(const SkinnedMesh& a, const SkinnedMesh& b) {
  float largest = 0.0f;
  for (std::size_t v = 0; v < a.positions.size(); ++v)
    largest = std::max(largest, glm::length(a.positions[v] - b.positions[v]) +
                                    glm::length(a.normals[v] - b.normals[v]));
  return largest;
}

} // namespace

TEST_CASE("storage: positions are the same with and without stored coordinates") {
  for (const char* name : kNames)
    for (const float normals : {0.0f, 1.0f}) {
      CAPTURE(name);
      OneSpline scene(31, 0.6f, 0.4f);
      const auto pose = scene.rotated(glm::angleAxis(1.3f, glm::normalize(vec3(0.4f, 0.5f, 0.7f))));
      const auto with = [&](float storage) {
        BindOptions options = choose({1, 1, 0, normals, 0, storage});
        options.zones = scene.options.zones;
        return skinned(findMethod(name), scene.rig, pose, options);
      };
      CHECK(largestDifference(with(0), with(1)) < 2e-5f);
      const Binding binding = findMethod(name).bind(scene.rig, choose({1, 1, 0, 0, 0, 1}));
      for (const Attribute& attribute : binding.attributes)
        CHECK(attribute.name == "joints0"); // nothing else per vertex

      test::FreeModelOptions straight;
      straight.largestBend = 0.0f;
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        const Model model = freeSplineModel(seed, straight);
        const Rig rig = buildRig(model);
        const auto nodes = modelFromNodes(model.hierarchy, test::randomFreePose(model, seed));
        const auto of = [&](float storage) {
          return skinned(findMethod(name), rig, nodes, choose({0, 3, 0, normals, 0, storage}));
        };
        CHECK(largestDifference(of(0), of(1)) < 3e-5f);
      }
    }
}

TEST_CASE("storage: a matrix per spline is refused if it cannot represent the coordinates") {
  for (const char* name : kNames) {
    const Method& method = findMethod(name);
    const OneSpline scene(32, 0.5f, 0.5f);
    CHECK_THROWS_AS(method.bind(scene.rig, choose({0, 3, 0, 0, 0, 1})), Error); // by weights
    CHECK_NOTHROW(method.bind(scene.rig, choose({1, 3, 0, 0, 0, 1})));
    const Rig curved = buildRig(freeSplineModel(33));
    CHECK_THROWS_AS(method.bind(curved, choose({0, 3, 0, 0, 0, 1})), Error);
    const Rig straight = buildRig(findDemo("body-arm-splines").make());
    CHECK_NOTHROW(method.bind(straight, choose({0, 3, 0, 0, 0, 1})));
  }
}

TEST_CASE("mixing: precise keeps what plain loses far from the origin") {
  const Model model = findDemo("body-arm-splines").make();
  const Rig rig = buildRig(model);
  Pose pose = restPose(model.hierarchy);
  const vec3 far(3000.0f, -2000.0f, 5000.0f);
  pose.parentFromNode[0].translation += far;
  const auto nodes = modelFromNodes(model.hierarchy, pose);
  const auto error = [&](float mixing, float evaluation) {
    const SkinnedMesh out =
        skinned(findMethod("arc-spline"), rig, nodes, choose({0, 3, evaluation, 0, mixing}));
    double sum = 0.0;
    double vertices = 0.0;
    for (std::size_t v = 0; v < out.positions.size(); ++v)
      if (rig.splineInfluences.of(v).size() > 1) { // a single place is not mixed
        sum += glm::length(glm::dvec3(out.positions[v]) - glm::dvec3(rig.positions[v]) -
                           glm::dvec3(far));
        vertices += 1.0;
      }
    return sum / vertices;
  };
  const double plain = error(1, 0);
  const double precise = error(0, 0);
  const double together = error(0, 1);
  SINEW_FIGURE("mean error at 6,164 units: plain " << plain << ", precise " << precise
                                                   << ", precise together " << together);
  CHECK(precise < plain);
  CHECK(together < plain);
}

TEST_CASE("mixing: near the origin plain and precise are the same") {
  const Model model = freeSplineModel(34);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, test::randomFreePose(model, 35));
  const auto of = [&](float mixing) {
    return skinned(findMethod("arc-spline"), rig, nodes, choose({0, 3, 0, 0, mixing}));
  };
  CHECK(largestDifference(of(0), of(1)) < 5e-6f);
}

TEST_CASE("directions: three bytes each turn normals by less than half a degree and move nothing") {
  for (const bool free : {false, true})
    for (const char* name : kNames) {
      CAPTURE(free);
      CAPTURE(name);
      const Model model = free ? freeSplineModel(37) : randomModel(37);
      const Rig rig = buildRig(model);
      const auto nodes = modelFromNodes(model.hierarchy, free ? test::randomFreePose(model, 38)
                                                              : randomPose(model, 38));
      const auto of = [&](float directions) {
        return skinned(findMethod(name), rig, nodes, choose({0, 1, 0, 0, 0, 0, directions}));
      };
      const SkinnedMesh attributes = of(0);
      const SkinnedMesh texture = of(1);
      CHECK(attributes.positions == texture.positions);
      CHECK(attributes.normals != texture.normals);
      for (std::size_t v = 0; v < attributes.normals.size(); ++v) {
        CHECK(glm::length(attributes.normals[v] - texture.normals[v]) < 0.0088f);
        CHECK(glm::length(texture.normals[v]) ==
              doctest::Approx(glm::length(attributes.normals[v])).epsilon(1e-5));
      }
    }
}

TEST_CASE("normals=none: the same positions, and no normal at all") {
  const Model model = randomModel(36);
  const Rig rig = buildRig(model);
  const auto nodes = modelFromNodes(model.hierarchy, randomPose(model, 36));
  for (const char* name : {"bones-blending", "arc-spline", "bezier-spline"}) {
    CAPTURE(name);
    const Method& method = findMethod(name);
    const auto index =
        static_cast<std::size_t>(std::ranges::find(method.parameters, "normals", &Parameter::name) -
                                 method.parameters.begin());
    BindOptions options;
    for (const Parameter& parameter : method.parameters)
      options.parameters.push_back(parameter.value);
    const SkinnedMesh with = skinned(method, rig, nodes, options);
    options.parameters[index] = 2.0f;
    const SkinnedMesh without = skinned(method, rig, nodes, options);
    CHECK(with.positions == without.positions);
    CHECK(std::ranges::all_of(without.normals, [](const vec3& n) { return n == vec3(0.0f); }));
    const Binding binding = method.bind(rig, options);
    CHECK(!binding.variant.hasNormals());
    for (const Attribute& attribute : binding.attributes)
      CHECK(!attribute.name.starts_with("splineNormal"));
  }
}
