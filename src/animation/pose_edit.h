// Pose editing: rotating one joint about its own or the model's axes, and rotations as Euler angles
// or axis and angle.
//
// Angles are in radians. A rotation from rest is expressed in the axes the joint has at rest:
// rotation = rest * fromRest, so the identity is the rest pose.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <span>

namespace sinew {

enum class RotationAxes {
  joint, // the posed joint's own axes
  model, // the axes of model space
};

// The three axes in model space, unit, in the columns. modelFromNode: the pose's.
mat3 rotationAxes(const Hierarchy& hierarchy, const Pose& pose, std::span<const mat4> modelFromNode,
                  std::uint32_t node, RotationAxes axes);

// The node's local rotation after rotating it by `angle` about `axis` (unit, model space). Below a
// stretched parent the axis is exact for the joint's orientation without the stretch.
quat rotatedAbout(const Hierarchy& hierarchy, const Pose& pose, std::span<const mat4> modelFromNode,
                  std::uint32_t node, const vec3& axis, float angle);

// The rotation from the rest orientation, the shorter way.
quat rotationFromRest(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node);
void setRotationFromRest(const Hierarchy& hierarchy, Pose& pose, std::uint32_t node,
                         const quat& fromRest);

// Angles about x, then y, then z, all fixed: x and z in (-pi, pi], y in [-pi/2, pi/2].
vec3 toEuler(const quat& rotation);
quat rotationOfEuler(const vec3& angles);

// Angle in [0, pi]; the identity has the axis `fallback`.
AxisAngle toAxisAngle(const quat& rotation, const vec3& fallback = {1.0f, 0.0f, 0.0f});
quat toRotation(const AxisAngle& rotation);

} // namespace sinew
