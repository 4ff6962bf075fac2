#include "animation/random_model.h"
#include "core/random.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "metrics/curvature.h"
#include "model/shapes.h"
#include "rig/subdivide.h"
#include "skinning/joint_test_support.h"

#include <doctest/doctest.h>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

float measureCurvature(std::span<const vec3> positions, std::span<const Triangle> triangles) {
  const auto neighbours = neighbourTriangles(triangles, weldVertices(positions));
  const std::vector<float> all = triangleCurvatures(positions, triangles, neighbours);
  return *std::ranges::max_element(all);
}

// Each face of the box with vertices of its own, as a mesh with hard edges has.
Mesh box() {
  Mesh mesh;
  const auto face = [&](const vec3& normal, const vec3& u) {
    const vec3 v = glm::cross(normal, u);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const vec3& p : {normal - u - v, normal + u - v, normal + u + v, normal - u + v})
      mesh.positions.push_back(p);
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  };
  for (const float side : {-1.0f, 1.0f}) {
    face({side, 0, 0}, {0, 1, 0});
    face({0, side, 0}, {0, 0, 1});
    face({0, 0, side}, {1, 0, 0});
  }
  return mesh;
}

} // namespace

TEST_CASE("curvature of a box is a right angle at every triangle") {
  const Mesh mesh = box();
  const auto neighbours = neighbourTriangles(mesh.triangles, weldVertices(mesh.positions));
  CHECK(neighbours.size() == 18); // edges of the welded box: 12 and 6 diagonals
  for (const float curvature : triangleCurvatures(mesh.positions, mesh.triangles, neighbours))
    CHECK(curvature == doctest::Approx(glm::half_pi<float>()).epsilon(1e-6));
}

TEST_CASE("curvature of a fold is the angle it is folded by") {
  for (int degrees = 0; degrees <= 180; degrees += 15) {
    const float angle = glm::radians(static_cast<float>(degrees));
    const std::vector<vec3> positions = {
        {0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {std::cos(angle), 0, std::sin(angle)}};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 0, 3}};
    CHECK(measureCurvature(positions, triangles) == doctest::Approx(angle).epsilon(1e-5));
  }
}

TEST_CASE("curvature of a prism around a circle is its turn per side; subdivision adds none") {
  // Sides of a tube with n corners turn by 2 pi / n; its ends are left open.
  for (const std::uint32_t n : {6u, 12u, 60u}) {
    Mesh tube;
    for (std::uint32_t k = 0; k < n; ++k) {
      const float angle = glm::two_pi<float>() * static_cast<float>(k) / static_cast<float>(n);
      tube.positions.emplace_back(0, std::cos(angle), std::sin(angle));
      tube.positions.emplace_back(1, std::cos(angle), std::sin(angle));
      const std::uint32_t a = 2 * k, b = 2 * ((k + 1) % n);
      tube.triangles.push_back({a, b, b + 1});
      tube.triangles.push_back({a, b + 1, a + 1});
    }
    const float rotation = glm::two_pi<float>() / static_cast<float>(n);
    CHECK(measureCurvature(tube.positions, tube.triangles) ==
          doctest::Approx(rotation).epsilon(1e-4));
    std::vector<std::uint32_t> all(tube.triangles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
      all[i] = i;
    const Mesh fine = subdivide(tube, all, Subdivision::midpoints);
    CHECK(measureCurvature(fine.positions, fine.triangles) ==
          doctest::Approx(rotation).epsilon(1e-4));
  }
}

TEST_CASE("curvature of a sphere goes to 0 as its triangles grow small") {
  // Across a meridian between two of n segments the normals turn by 2 pi / n at the equator, less
  // towards the poles; along one of r rings by about pi / (r + 1).
  float last = 10.0f;
  for (const std::uint32_t n : {8u, 16u, 32u, 64u}) {
    const Mesh ball = toMesh(ellipsoid(vec3(0), vec3(1), n, n / 2), "ball");
    const float curvature = measureCurvature(ball.positions, ball.triangles);
    CHECK(curvature < 2.2f * glm::two_pi<float>() / static_cast<float>(n));
    CHECK(curvature < 0.65f * last);
    last = curvature;
  }
}

TEST_CASE("curvature does not change under rigid motion or with triangles of no area") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Mesh ball = toMesh(ellipsoid(vec3(0), vec3(1, 0.4f, 0.7f), 9, 6), "ball");
    const float before = measureCurvature(ball.positions, ball.triangles);
    const quat rotation = randomRotation(random);
    for (vec3& p : ball.positions)
      p = rotation * p + vec3(0.3f, -0.2f, 0.1f);
    ball.triangles.push_back({0, 0, 1});
    CHECK(measureCurvature(ball.positions, ball.triangles) ==
          doctest::Approx(before).epsilon(1e-4));
  }
}

TEST_CASE("figure 9: the elbow's curvature grows with the bend; 1:4 subdivision lowers it") {
  const Model arm = findDemo("arm").make();
  const std::uint32_t elbow = jointNamed(arm, "LowerArm");
  const Model fine = subdivideJoints(arm, std::vector{elbow}, Subdivision::midpoints);
  const auto curvature = [&](const Model& model, float degrees, const BindOptions& options) {
    const Rig rig = buildRig(model);
    Pose pose = restPose(model.hierarchy);
    pose.parentFromNode[elbow].rotation = glm::angleAxis(glm::radians(degrees), vec3(0, 0, 1));
    const SkinnedMesh posed = test::skinned(findMethod("bones-blending"), rig,
                                            modelFromNodes(model.hierarchy, pose), options);
    const auto neighbours = neighbourTriangles(rig.triangles, weldVertices(rig));
    return findLargest(triangleCurvatures(posed.positions, rig.triangles, neighbours),
                       trianglesOfJoint(rig, elbow));
  };
  // The paper's own binding: one joint a vertex, by distance along the bone. The zone is longer
  // than the arm is thick: with a shorter one the inner side is turned inside out beyond 75 degrees
  // and its curvature is near pi, however fine the mesh.
  BindOptions paper = test::jointOptions(1, 1);
  paper.zones.assign(buildRig(arm).joints.size(), Zone{-0.1f, 0.1f});
  const float rest =
      curvature(arm, 0.0f, paper); // curvature in the bind pose, more than that of a slight bend
  float last = rest;
  CHECK(curvature(fine, 0.0f, paper) == doctest::Approx(rest).epsilon(1e-4));
  for (float degrees = 15.0f; degrees <= 135.0f; degrees += 15.0f) {
    CAPTURE(degrees);
    const float original = curvature(arm, degrees, paper);
    if (degrees < 45.0f) {
      CHECK(original == doctest::Approx(rest).epsilon(1e-4));
      CHECK(curvature(fine, degrees, paper) == doctest::Approx(rest).epsilon(1e-4));
    } else {
      CHECK(original > last);
      CHECK(curvature(fine, degrees, paper) < original);
    }
    last = original;
  }
  // The weights of the demo, before that.
  for (const float degrees : {45.0f, 60.0f, 75.0f}) {
    CAPTURE(degrees);
    CHECK(curvature(fine, degrees, {}) < 0.75f * curvature(arm, degrees, {}));
  }
}
