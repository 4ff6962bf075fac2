#include "core/test_effort.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "skinning/joint_test_support.h"
#include "skinning/spline.h"
#include "skinning/spline_palette.h"

#include <doctest/doctest.h>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;
using test::jointOptions;
using test::largestMove;
using test::OneSpline;
using test::skinned;

namespace {

const Curve* const kCurves[] = {&arcCurve(), &bezierCurve()};

// What the spline does, in double precision and straight from the paper, for a bend and no twist
// about the z axis: rotation of a place with coordinates (x, y, z) in the bind pose.
glm::dvec3 arcByDefinition(double a, double b, double bend, const vec3& position) {
  const glm::dvec3 d12(a, 0, 0);
  const glm::dvec3 d23(b * std::cos(bend), b * std::sin(bend), 0);
  const double s = static_cast<double>(position.x) + a;
  // x by bisection, where the paper halves space.
  double low = 0.0;
  double high = std::acos(0.0);
  for (int i = 0; i < 60; ++i) {
    const double x = 0.5 * (low + high);
    (a * std::sin(x) + b * (1 - std::cos(x)) < s ? low : high) = x;
  }
  const double x = 0.5 * (low + high);
  const glm::dvec3 f = glm::dvec3(-a, 0, 0) + d12 * std::sin(x) + d23 * (1 - std::cos(x));
  const glm::dvec3 tangent = glm::normalize(d12 * std::cos(x) + d23 * std::sin(x));
  const glm::dvec3 across(-tangent.y, tangent.x, 0);
  const double excess = s - (a * std::sin(x) + b * (1 - std::cos(x)));
  return f + excess * tangent + static_cast<double>(position.y) * across +
         glm::dvec3(0, 0, position.z);
}

float distanceToRest(const Rig& rig, const SkinnedMesh& mesh) {
  float largest = 0.0f;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    largest = std::max(largest, glm::length(mesh.positions[v] - rig.positions[v]));
  return largest;
}

} // namespace

TEST_CASE("curves: distance and place on the straight spline are inverse to each other") {
  Random random(3);
  for (const Curve* curve : kCurves)
    for (int i = 0; i < 500; ++i) {
      const float a = random.uniform(0.05f, 2.0f);
      const float b = random.uniform(0.05f, 2.0f);
      const float s = (a + b) * random.uniform();
      const CurvePoint at = curve->at(curve->fromDistance(a, b, s));
      CHECK(a * at.along12 + b * at.along23 == doctest::Approx(s).epsilon(1e-4));
    }
}

TEST_CASE("curves: a slight bend is rotated by the given fraction") {
  Random random(4);
  for (const Curve* curve : kCurves)
    for (int i = 0; i < 500; ++i) {
      const float a = random.uniform(0.05f, 2.0f);
      const float b = random.uniform(0.05f, 2.0f);
      const float share = random.uniform();
      const CurvePoint at = curve->at(curve->fromRotation(a, b, share));
      CHECK(b * at.slope23 / (a * at.slope12 + b * at.slope23) ==
            doctest::Approx(share).epsilon(1e-4));
    }
}

TEST_CASE("four right-angled arc splines make a circle, four Bezier splines do not") {
  // Figure 2 of the paper. Corners of a square of side 2, splines from middle to middle.
  const auto radii = [](const Curve& curve) {
    Bounds range;
    const vec3 middles[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int k = 0; k < 4; ++k) {
      const vec3 d12 = middles[(k + 1) % 4];
      const vec3 d23 = -middles[k];
      for (int i = 0; i <= 200; ++i) {
        const CurvePoint at = curve.at(curve.end * static_cast<float>(i) / 200.0f);
        const vec3 f = middles[k] + at.along12 * d12 + at.along23 * d23;
        range.include(vec3(glm::length(f)));
      }
    }
    return range;
  };
  const Bounds arc = radii(arcCurve());
  CHECK(std::abs(arc.min.x - 1.0f) < 1e-6f);
  CHECK(std::abs(arc.max.x - 1.0f) < 1e-6f);
  const Bounds bezier = radii(bezierCurve());
  CHECK(bezier.max.x - 1.0f == doctest::Approx(std::sqrt(1.125f) - 1.0f).epsilon(1e-3)); // 6 %
}

TEST_CASE("arc-spline: a bend is the paper's formula") {
  for (const float bend : {-2.5f, -1.0f, 0.01f, 0.7f, 1.5707963f, 2.8f}) {
    CAPTURE(bend);
    const OneSpline scene(11, 0.7f, 0.4f);
    const SkinnedMesh out =
        skinned(findMethod("arc-spline"), scene.rig,
                scene.rotated(glm::angleAxis(bend, vec3(0, 0, 1))), scene.options);
    for (std::size_t v = 0; v < out.positions.size(); ++v)
      CHECK(glm::length(glm::dvec3(out.positions[v]) -
                        arcByDefinition(0.7f, 0.4f, static_cast<double>(bend),
                                        scene.rig.positions[v])) < 4e-6);
  }
}

TEST_CASE("splines: a slight bend moves little, whatever its direction, and evenly") {
  // No frame may flip where the bend passes through straight: the displacement of every vertex is
  // proportional to the bend, and a bend the other way is its mirror image.
  for (const char* name : {"arc-spline", "bezier-spline"}) {
    const OneSpline scene(12, 0.5f, 0.5f);
    for (int direction = 0; direction < 36; ++direction) {
      const float around = 2.0f * std::numbers::pi_v<float> * static_cast<float>(direction) / 36.0f;
      const vec3 axis(0, std::cos(around), std::sin(around));
      const auto pose = [&](float angle) {
        return skinned(findMethod(name), scene.rig, scene.rotated(glm::angleAxis(angle, axis)),
                       scene.options);
      };
      CAPTURE(name);
      CAPTURE(direction);
      for (const float angle : {1e-2f, 1e-3f, 1e-4f, 1e-5f, 3e-8f})
        CHECK(distanceToRest(scene.rig, pose(angle)) < 2.3f * angle + 2e-6f);
      const SkinnedMesh forth = pose(0.01f);
      const SkinnedMesh back = pose(-0.01f);
      for (std::size_t v = 0; v < forth.positions.size(); ++v)
        CHECK(glm::length(forth.positions[v] + back.positions[v] - 2.0f * scene.rig.positions[v]) <
              5e-4f);
    }
  }
}

TEST_CASE("splines: small steps of any rotation move every vertex by small steps") {
  // Along a path of rotations that passes straight and half a rotation of twist's worth of bending,
  // no vertex jumps: the frame does not spin.
  for (const char* name : {"arc-spline", "bezier-spline"}) {
    const OneSpline scene(13, 0.5f, 0.5f);
    SkinnedMesh last;
    for (int i = 0; i <= test::rounds(2000, 400); ++i) {
      const float u = static_cast<float>(i) / 2000.0f;
      const float around = 10.0f * std::numbers::pi_v<float> * u;
      const float bend =
          2.2f * std::sin(6.0f * std::numbers::pi_v<float> * u); // through straight six times
      const float twist = 2.5f * std::sin(2.0f * std::numbers::pi_v<float> * u);
      const quat rotation = glm::angleAxis(bend, vec3(0, std::cos(around), std::sin(around))) *
                            glm::angleAxis(twist, vec3(1, 0, 0));
      SkinnedMesh now =
          skinned(findMethod(name), scene.rig, scene.rotated(rotation), scene.options);
      CAPTURE(name);
      CAPTURE(i);
      if (i > 0) CHECK(largestMove(last.positions, now.positions) < 0.12f);
      last = std::move(now);
    }
  }
}

TEST_CASE("splines: twist grows evenly with x and does not depend on the bend's direction") {
  const OneSpline scene(14, 0.5f, 0.5f);
  for (int direction = 0; direction < 12; ++direction) {
    const float around = 2.0f * std::numbers::pi_v<float> * static_cast<float>(direction) / 12.0f;
    const quat swing = glm::angleAxis(1.1f, vec3(0, std::cos(around), std::sin(around)));
    const quat twist = glm::angleAxis(0.8f, vec3(1, 0, 0));
    const Method& method = findMethod("arc-spline");
    const Binding binding = method.bind(scene.rig, scene.options);
    Palette palette;
    packPalette(method, scene.rig, binding, scene.rotated(swing * twist), palette);
    CHECK(palette.rows[kSplineRows + 1].w == doctest::Approx(0.8f).epsilon(1e-5));
    packPalette(method, scene.rig, binding, scene.rotated(swing), palette);
    CHECK(std::abs(palette.rows[kSplineRows + 1].w) < 1e-6f);
  }
}

TEST_CASE("splines: a twist follows the weights, however uneven the zone") {
  Random random(23);
  for (const auto& [name, tolerance] : {std::pair{"arc-spline", 0.092f}, {"bezier-spline", 0.056f}})
    for (int trial = 0; trial < 40; ++trial) {
      OneSpline scene(24, random.uniform(0.02f, 1.0f), random.uniform(0.02f, 1.0f));
      scene.options.parameters = jointOptions(0, 1).parameters;
      const float twist = random.uniform(-3.0f, 3.0f);
      const auto pose = scene.rotated(glm::angleAxis(twist, vec3(1, 0, 0)));
      const SkinnedMesh out = skinned(findMethod(name), scene.rig, pose, scene.options);
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const vec3& p = scene.rig.positions[v];
        const vec3& q = out.positions[v];
        const float turned = std::atan2(p.y * q.z - p.z * q.y, p.y * q.y + p.z * q.z);
        const float weight = scene.rig.influences.of(v)[1].weight;
        CHECK(std::abs(turned - weight * twist) <= tolerance * std::abs(twist));
      }
    }
}

TEST_CASE("splines: folded right back, all is finite and the ends are in place") {
  for (const char* name : {"arc-spline", "bezier-spline"})
    for (int direction = 0; direction < 12; ++direction) {
      const OneSpline scene(15, 0.4f, 0.6f);
      const float around = 2.0f * std::numbers::pi_v<float> * static_cast<float>(direction) / 12.0f;
      const quat rotation =
          glm::angleAxis(std::numbers::pi_v<float>, vec3(0, std::cos(around), std::sin(around)));
      const SkinnedMesh out =
          skinned(findMethod(name), scene.rig, scene.rotated(rotation), scene.options);
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const vec3& p = scene.rig.positions[v];
        CHECK(std::isfinite(out.positions[v].x + out.positions[v].y + out.positions[v].z));
        if (p.x < -0.4f) CHECK(glm::length(out.positions[v] - p) < 3e-6f);
        if (p.x > 0.6f) CHECK(glm::length(out.positions[v] - rotation * p) < 3e-6f);
      }
    }
}

TEST_CASE("splines: exact normals are those of the moved surface, by finite differences") {
  for (const char* name : {"arc-spline", "bezier-spline"})
    for (const bool more : {false, true}) { // more than turning: stretch and shift
      CAPTURE(name);
      CAPTURE(more);
      OneSpline scene(16, 0.5f, 0.7f);
      scene.options.parameters = {1, 1, 0, 1};
      auto pose = scene.rotated(glm::angleAxis(1.2f, vec3(0, 0.6f, 0.8f)) *
                                glm::angleAxis(0.9f, vec3(1, 0, 0)));
      if (more)
        pose[1] = glm::translate(mat4(1), vec3(0.1f, 0.05f, -0.1f)) * pose[1] *
                  glm::scale(mat4(1), vec3(1.2f, 0.8f, 1.1f));
      const SkinnedMesh out = skinned(findMethod(name), scene.rig, pose, scene.options);
      const auto stepped = [&](bool second, float step) {
        Rig moved = scene.rig;
        for (std::size_t v = 0; v < moved.positions.size(); ++v) {
          const vec3& n = scene.rig.normals[v];
          const vec3 u =
              glm::normalize(glm::cross(n, std::abs(n.z) < 0.6f ? vec3(0, 0, 1) : vec3(1, 0, 0)));
          moved.positions[v] += step * (second ? glm::cross(n, u) : u);
        }
        return skinned(findMethod(name), moved, pose, scene.options).positions;
      };
      const float h = 1e-3f;
      const auto u1 = stepped(false, h), u0 = stepped(false, -h);
      const auto v1 = stepped(true, h), v0 = stepped(true, -h);
      for (std::size_t v = 0; v < out.positions.size(); ++v) {
        const float x = scene.rig.positions[v].x; // at the zone's ends there is a kink
        if (std::abs(x + 0.5f) < 2.0f * h || std::abs(x - 0.7f) < 2.0f * h) continue;
        const vec3 difference = glm::cross(u1[v] - u0[v], v1[v] - v0[v]);
        CHECK(std::abs(glm::dot(glm::normalize(difference), out.normals[v])) > 0.9995f);
      }
    }
}
