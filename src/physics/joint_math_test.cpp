#include "core/random.h"
#include "physics/joint_math.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

using namespace sinew;

namespace {

glm::dquat randomQuaternion(Random& random) {
  const auto u = [&] { return static_cast<double>(random.uniform(-1.0f, 1.0f)); };
  for (;;) {
    const glm::dquat q(u(), u(), u(), u());
    if (glm::length(q) > 0.2) return glm::normalize(q);
  }
}

// An upper and a lower limb on the y axis, joined at the origin.
RagdollJoint hingeJoint() {
  RagdollJoint joint;
  joint.type = RagdollJointType::hinge;
  joint.anchor = {0.0f, 0.5f, 0.0f};
  joint.axis = {1.0f, 0.0f, 0.0f};
  joint.backAngle = glm::radians(-10.0f);
  joint.frontAngle = glm::radians(120.0f);
  return joint;
}

RagdollJoint universalJoint() {
  RagdollJoint joint = hingeJoint();
  joint.type = RagdollJointType::universal;
  joint.axis = {0.0f, 1.0f, 0.0f};
  joint.rotationalFreedom = glm::radians(20.0f);
  joint.bendFreedom = glm::radians(40.0f);
  return joint;
}

const RigidTransform kParent{{0.0, -0.5, 0.0}};
const RigidTransform kChild{{0.0, 0.5, 0.0}};

RigidTransform rotatedChild(const glm::dquat& rotation) {
  return {rotation * kChild.position, rotation * kChild.rotation};
}

} // namespace

TEST_CASE("a hinge's errors are the paper's four, each by itself") {
  const JointFrame frame = jointFrame(hingeJoint(), kParent, kChild, 1.0);
  CHECK(jointErrors(frame, kParent, kChild).angle() == doctest::Approx(0.0).epsilon(1e-9));
  const auto errors = [&](double degrees, const glm::dvec3& axis) {
    return jointErrors(frame, kParent, rotatedChild(glm::angleAxis(glm::radians(degrees), axis)));
  };
  CHECK(errors(100.0, {1, 0, 0}).angle() < 1e-7);
  CHECK(glm::degrees(errors(130.0, {1, 0, 0}).bend) == doctest::Approx(10.0));
  CHECK(glm::degrees(errors(-25.0, {1, 0, 0}).bend) == doctest::Approx(15.0));
  // Equations 2.1 to 2.3: out of the circle's plane, with the axis along.
  CHECK(glm::degrees(errors(12.0, {0, 0, 1}).sideways) == doctest::Approx(12.0));
  CHECK(glm::degrees(errors(12.0, {0, 0, 1}).orientation) == doctest::Approx(12.0));
  // A rotation about the child's own direction changes the axis alone.
  CHECK(errors(12.0, {0, 1, 0}).sideways < 1e-7);
  CHECK(glm::degrees(errors(12.0, {0, 1, 0}).orientation) == doctest::Approx(12.0));
  RigidTransform moved = kChild;
  moved.position += glm::dvec3(0.03, 0.0, 0.04);
  CHECK(jointErrors(frame, kParent, moved).position == doctest::Approx(0.05));
}

TEST_CASE("a universal joint's bend and twist are measured independently") {
  const JointFrame frame = jointFrame(universalJoint(), kParent, kChild, 1.0);
  for (const double about : {0.0, 70.0, 200.0}) {
    const glm::dvec3 axis(std::cos(glm::radians(about)), 0.0, std::sin(glm::radians(about)));
    const glm::dquat bend = glm::angleAxis(glm::radians(55.0), axis);
    const glm::dquat twist = glm::angleAxis(glm::radians(-31.0), glm::dvec3(0, 1, 0));
    const JointAngles angles = jointAngles(frame, kParent.rotation, bend * twist);
    CHECK(glm::degrees(angles.bend) == doctest::Approx(55.0));
    CHECK(glm::degrees(angles.twist) == doctest::Approx(-31.0));
    const JointErrors errors = jointErrors(frame, kParent, rotatedChild(bend * twist));
    CHECK(glm::degrees(errors.bend) == doctest::Approx(15.0));
    CHECK(glm::degrees(errors.orientation) == doctest::Approx(11.0));
  }
}

TEST_CASE("allowedRotation() meets the limits and keeps a rotation that already meets them") {
  Random random(3);
  for (const RagdollJoint& joint : {hingeJoint(), universalJoint()}) {
    const JointFrame frame = jointFrame(joint, kParent, kChild, 1.0);
    for (int i = 0; i < 200; ++i) {
      const glm::dquat parent = randomQuaternion(random);
      const glm::dquat child = allowedRotation(frame, parent, randomQuaternion(random));
      const RigidTransform p{{1.0, 2.0, 3.0}, parent};
      RigidTransform c{glm::dvec3(0.0), child};
      c.position = p.point(frame.anchorParent) - child * frame.anchorChild;
      const JointErrors errors = jointErrors(frame, p, c);
      CHECK(errors.position < 1e-12);
      CHECK(errors.limitExcess() < 1e-6);
      const glm::dquat again = allowedRotation(frame, parent, child);
      CHECK(glm::length(rotationVector(again * glm::conjugate(child))) < 1e-6);
    }
  }
}

TEST_CASE(
    "severity adds the angles as motion at the bodies' radii, by the fraction each body rotates") {
  JointFrame frame;
  frame.radiusParent = 2.0;
  frame.radiusChild = 0.5;
  const JointErrors errors{0.1, 0.01, 0.02, 0.03};
  CHECK(severity(errors, frame, 0.0) == doctest::Approx(0.1 + 0.06 * 0.5));
  CHECK(severity(errors, frame, 1.0) == doctest::Approx(0.1 + 0.06 * 2.0));
  CHECK(severity(errors, frame, 0.25) == doctest::Approx(0.1 + 0.06 * (0.25 * 2.0 + 0.75 * 0.5)));
}

TEST_CASE("rotation vectors and quaternions convert both ways") {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const glm::dquat q = randomQuaternion(random);
    const glm::dquat back = toRotation(rotationVector(q));
    CHECK(std::abs(glm::dot(q, back)) == doctest::Approx(1.0).epsilon(1e-12));
  }
  const glm::dvec3 up(0, 1, 0);
  CHECK(glm::length(shortestArc(up, -up) * up + up) < 1e-9);
}
