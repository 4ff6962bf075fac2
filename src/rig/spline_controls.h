// The control points of free splines as people take hold of them: which node carries which, where
// they are in a pose, and a spline's roll and twist as turns of the nodes at its ends.
#pragma once

#include "animation/pose.h"
#include "rig/rig.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace sinew {

struct ControlPoint {
  std::uint32_t spline = 0; // of Rig::splines
  std::uint32_t which = 0;  // 0, 1 or 2
};

// The control point that a node carries; of several splines' the first.
std::optional<ControlPoint> controlPointAt(const Rig& rig, std::uint32_t node);

// Model space. modelFromNode: of the pose.
std::array<vec3, 3> posedControlPoints(const Rig& rig, std::uint32_t spline,
                                       std::span<const mat4> modelFromNode);

// Radians, from the rest pose: what the start is turned by about the spline, and what the end is
// turned by about it against the start. What nodes above them do is not counted.
struct SplineTurn {
  float roll = 0.0f;  // (-pi, pi]
  float twist = 0.0f; // likewise
};
SplineTurn splineTurn(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline,
                      const Pose& pose);

// Turns the nodes at the ends about the spline until splineTurn() is `turn`; their other turns
// stay.
void setSplineTurn(const Hierarchy& hierarchy, const Rig& rig, std::uint32_t spline, Pose& pose,
                   const SplineTurn& turn);

} // namespace sinew
