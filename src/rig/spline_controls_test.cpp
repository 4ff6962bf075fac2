#include "animation/clip_edit.h"
#include "animation/sample.h"
#include "demo/demo.h"
#include "demo/rigging.h"
#include "rig/spline_controls.h"
#include "skinning/free_spline.h"
#include "skinning/free_spline_pose.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>
#include <utility>

using namespace sinew;

namespace {

struct SplineScene {
  Model model = findDemo("body-arm-splines").make();
  Rig rig = buildRig(model);
  Pose pose = restPose(model.hierarchy);

  std::uint32_t findSpline(const char* node) const {
    return controlPointAt(rig, jointNamed(model, node))->spline;
  }
  // As the methods see it.
  PosedSpline posed(std::uint32_t spline) const {
    const auto modelFromNode = modelFromNodes(model.hierarchy, pose);
    std::array<mat4, 3> matrices;
    for (std::size_t i = 0; i < 3; ++i) {
      const RigJoint& joint = rig.joints[rig.splines[spline].joints[i]];
      matrices[i] = modelFromNode[joint.node] * joint.jointFromBind;
    }
    return poseSpline(makeFreeShape(rig.splines[spline].points), rig.splines[spline].points,
                      matrices);
  }
};

} // namespace

TEST_CASE("spline controls: every node of a free spline carries a point, where it is drawn") {
  SplineScene scene;
  for (const FreeSpline& spline : scene.model.splines)
    for (std::uint32_t i = 0; i < 3; ++i) {
      const auto point = controlPointAt(scene.rig, spline.nodes[i]);
      REQUIRE(point.has_value());
      CHECK(point->which == i);
    }
  const std::uint32_t elbow = scene.findSpline("ElbowEnd");
  scene.pose.parentFromNode[jointNamed(scene.model, "ElbowEnd")].translation += vec3(0, 0.1f, 0);
  const auto points =
      posedControlPoints(scene.rig, elbow, modelFromNodes(scene.model.hierarchy, scene.pose));
  CHECK(glm::length(points[2] - scene.rig.splines[elbow].points[2] - vec3(0, 0.1f, 0)) < 1e-6f);
  CHECK(points[0] == scene.rig.splines[elbow].points[0]);
  CHECK_FALSE(controlPointAt(buildRig(findDemo("arm").make()), 1).has_value());
}

TEST_CASE("spline controls: roll and twist are what is set, and what the spline then has") {
  SplineScene scene;
  for (const char* node : {"BodyEnd", "ArmStart", "ElbowMiddle"}) {
    CAPTURE(node);
    const std::uint32_t spline = scene.findSpline(node);
    const Hierarchy& hierarchy = scene.model.hierarchy;
    CHECK(splineRotation(hierarchy, scene.rig, spline, scene.pose).roll == doctest::Approx(0.0f));
    setSplineRotation(hierarchy, scene.rig, spline, scene.pose, {0.5f, -0.75f});
    const SplineRotation rotation = splineRotation(hierarchy, scene.rig, spline, scene.pose);
    CHECK(rotation.roll == doctest::Approx(0.5f));
    CHECK(rotation.twist == doctest::Approx(-0.75f));
    CHECK(scene.posed(spline).twist == doctest::Approx(-0.75).epsilon(1e-4));
    setSplineRotation(hierarchy, scene.rig, spline, scene.pose, {});
    CHECK(scene.posed(spline).twist == doctest::Approx(0.0).epsilon(1e-4));
  }
}

TEST_CASE("spline controls: a twist may be several rotations") {
  SplineScene scene;
  const std::uint32_t spline = scene.findSpline("ArmStart");
  for (int k = -15; k <= 15; ++k) {
    CAPTURE(k);
    const float twist = 0.6981317f * static_cast<float>(k); // 40 degrees
    setSplineRotation(scene.model.hierarchy, scene.rig, spline, scene.pose, {0.3f, twist});
    const SplineRotation rotation =
        splineRotation(scene.model.hierarchy, scene.rig, spline, scene.pose);
    CHECK(rotation.twist == doctest::Approx(twist).epsilon(1e-4).scale(1.0));
    CHECK(rotation.roll == doctest::Approx(0.3f).epsilon(1e-4));
  }
}

TEST_CASE("spline controls: twist stays twist while the spline bends, and nodes need not hang on "
          "each other") {
  SplineScene scene;
  const std::uint32_t arm = scene.findSpline("ArmStart");
  // The end hangs beside the start.
  const std::uint32_t end = jointNamed(scene.model, "ArmEnd");
  const std::uint32_t start = jointNamed(scene.model, "ArmStart");
  Hierarchy hierarchy = scene.model.hierarchy;
  hierarchy.nodes[end].parent = hierarchy.nodes[start].parent;
  setSplineRotation(hierarchy, scene.rig, arm, scene.pose, {0.4f, 0.3f});
  const SplineRotation rotation = splineRotation(hierarchy, scene.rig, arm, scene.pose);
  CHECK(rotation.roll == doctest::Approx(0.4f));
  CHECK(rotation.twist == doctest::Approx(0.3f));
  // Bent by the middle node, the twist that was set is still there.
  SplineScene bent;
  bent.pose.parentFromNode[jointNamed(bent.model, "ArmMiddle")].rotation =
      sinew::rotationAbout(vec3(0, 0, 1), -65.0f);
  setSplineRotation(bent.model.hierarchy, bent.rig, arm, bent.pose, {0.0f, 1.0f});
  CHECK(bent.posed(arm).twist == doctest::Approx(1.0).epsilon(1e-3));
}

TEST_CASE("spline controls: keyed twists go as far as they say, without a jump") {
  for (const auto& keys :
       {std::pair(-468.0f, 589.0f), std::pair(170.0f, -170.0f), std::pair(20.0f, 380.0f)}) {
    CAPTURE(keys.first);
    SplineScene scene;
    const std::uint32_t spline = scene.findSpline("ArmStart");
    const std::uint32_t end = jointNamed(scene.model, "ArmEnd");
    Clip clip{"twist", 1.0f, {}};
    for (const float time : {0.0f, 1.0f}) {
      const float degrees = time == 0.0f ? keys.first : keys.second;
      Pose pose = sample(scene.model, clip, time);
      setSplineRotation(scene.model.hierarchy, scene.rig, spline, pose,
                        {0.0f, glm::radians(degrees)});
      keyDifferences(clip, scene.model, sample(scene.model, clip, time), pose, time);
    }
    double last = glm::radians(static_cast<double>(keys.first));
    for (int i = 0; i <= 200; ++i) {
      scene.pose = sample(scene.model, clip, 0.005f * static_cast<float>(i));
      const auto number = static_cast<double>(twistAt(scene.pose, end));
      const double twist = nearestAngle(scene.posed(spline).twist, number);
      CHECK(std::abs(twist - number) < 1e-3);
      CHECK(std::abs(twist - last) < 0.2);
      last = twist;
    }
    CHECK(std::abs(last - glm::radians(static_cast<double>(keys.second))) < 1e-3);
  }
}
