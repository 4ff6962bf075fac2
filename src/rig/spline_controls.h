// Editing free splines: the nodes of control points, their positions in a pose, and a spline's roll
// and twist as rotations of the nodes at its ends.
#pragma once

#include "animation/pose.h"
#include "rig/rig.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace sinew {

struct ControlPoint {
  std::uint32_t spline = 0; // index into Rig::splines
  std::uint32_t which = 0;  // 0, 1 or 2
};

// The control point of a node; the first if several splines use it.
std::optional<ControlPoint> controlPointAt(const Rig& rig, std::uint32_t node);

// In model space. modelFromNode: the pose's.
std::array<vec3, 3> posedControlPoints(const Rig& rig, std::uint32_t spline,
                                       std::span<const mat4> modelFromNode);

// Radians, from the rest pose: rotation of the start about the spline, and of the end about it
// relative to the start. Rotations of their ancestors do not count.
struct SplineRotation {
  float roll = 0.0f;  // (-pi, pi]
  float twist = 0.0f; // unbounded: Pose::twists has its whole rotations
};
SplineRotation splineRotation(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline,
                              const Pose& pose);

// Rotates the nodes at the ends about the spline so that splineRotation() becomes `rotation`; their
// other rotation stays.
void setSplineRotation(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline, Pose& pose,
                       const SplineRotation& rotation);

} // namespace sinew
