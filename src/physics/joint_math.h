// What a ragdoll's joint allows and how far two bodies are from it: the geometry both solvers and
// the measurements share (Lovrović 2015, sections 2.1 and 2.2). Metres, radians, double precision.
#pragma once

#include "animation/pose.h"
#include "physics/ragdoll_config.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The position and rotation of a rigid body: the world from its own space.
struct RigidTransform {
  glm::dvec3 position{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};

  glm::dvec3 point(const glm::dvec3& local) const { return position + rotation * local; }
};

// They compose like matrices.
RigidTransform operator*(const RigidTransform& a, const RigidTransform& b);
RigidTransform inverse(const RigidTransform& transform);

// A joint as both bodies see it.
struct JointFrame {
  RagdollJointType type = RagdollJointType::universal;
  glm::dvec3 anchorParent{0.0}; // each in its body's space
  glm::dvec3 anchorChild{0.0};
  glm::dvec3 axisParent{0.0, 1.0, 0.0}; // unit
  glm::dvec3 axisChild{0.0, 1.0, 0.0};  // hinge: the same axis in the child's space
  // From the anchor to the child's centre, unit, in the child's space.
  glm::dvec3 direction{0.0, 1.0, 0.0};
  // Parent's from child's space where the angles are 0: the bind pose; for a universal joint
  // rotated by the shortest arc so that the direction is the axis.
  glm::dquat reference{1.0, 0.0, 0.0, 0.0};
  double back = 0.0;
  double front = 0.0;
  double rotation = 0.0; // freedoms
  double bend = 0.0;
  double radiusParent = 0.0; // from the anchor to the bodies' centres
  double radiusChild = 0.0;
};

// parent, child: the two bodies in the bind pose, in metres; `metresPerUnit` scales the anchor.
JointFrame jointFrame(const RagdollJoint& joint, const RigidTransform& parent,
                      const RigidTransform& child, double metresPerUnit);

// A hinge has the angle about its axis. A universal joint has the bend away from the axis, from 0,
// and the twist about the child's direction, signed.
struct JointAngles {
  double hinge = 0.0;
  double bend = 0.0;
  double twist = 0.0;
};
JointAngles jointAngles(const JointFrame& frame, const glm::dquat& parent, const glm::dquat& child);

// The four parts of a joint's error: metres, then radians.
struct JointErrors {
  double position = 0.0;    // between the two anchors
  double sideways = 0.0;    // hinge: of the direction from its circle (equations 2.1 to 2.3)
  double orientation = 0.0; // hinge: between the two axes; universal: twist beyond its freedom
  double bend = 0.0;        // beyond the limits

  double angle() const { return sideways + orientation + bend; }
  // Beyond what the limits allow, whichever is worst.
  double limitExcess() const;
};
JointErrors jointErrors(const JointFrame& frame, const RigidTransform& parent,
                        const RigidTransform& child);

// The paper's severity, metres: the position error and the angles as motion at the bodies' radii,
// each body by the fraction that it rotates. parentFraction in [0, 1].
double severity(const JointErrors& errors, const JointFrame& frame, double parentFraction);

// The child's rotation nearest to the given one that the joint allows.
glm::dquat allowedRotation(const JointFrame& frame, const glm::dquat& parent,
                           const glm::dquat& child);

// The shortest rotation from one unit vector to another, and a rotation as axis times angle.
glm::dquat shortestArc(const glm::dvec3& from, const glm::dvec3& to);
glm::dvec3 rotationVector(const glm::dquat& rotation);
glm::dquat toRotation(const glm::dvec3& vector);

// A body bound to its bone. It keeps its transform relative to its bone from the bind pose
// (Lovrović 2015, section 4.2, equation 4.1), so a pose of the bones gives the transforms of the
// bodies.
struct BodyBinding {
  std::uint32_t node = 0;
  RigidTransform bind;     // the body in the bind pose; model units
  mat4 bindFromNode{1.0f}; // inverse of the bone's matrix in the bind pose
};

// One per body; throws inputError where a bone is not in the model.
std::vector<BodyBinding> bindBodies(const Model& model, std::span<const RagdollBody> bodies);

// A body's transform in a pose (its modelFromNode); scale and shear are ignored.
RigidTransform bodyTransform(const BodyBinding& binding, std::span<const mat4> modelFromNode);

} // namespace sinew
