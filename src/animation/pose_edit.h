// Changing a pose by hand: turning one joint about its own or the model's axes, and the turns as
// people read them.
//
// Angles are radians here. A joint's turn is told from its rest orientation, in the axes it has
// there: rotation = rest * turn, so that no turn is the rest pose.
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <span>

namespace sinew {

enum class TurnAxes {
  joint, // the joint's own, as it is posed
  model, // those of model space
};

// The three axes in model space, unit, in the columns. modelFromNode: of the pose.
mat3 turnAxes(const Hierarchy& hierarchy, const Pose& pose, std::span<const mat4> modelFromNode,
              std::uint32_t node, TurnAxes axes);

// The node's rotation after a turn by `angle` about `axis` (unit, model space). Where a parent
// stretches, the axis is exact for the joint's orientation, not for what the stretch makes of it.
quat turnedRotation(const Hierarchy& hierarchy, const Pose& pose,
                    std::span<const mat4> modelFromNode, std::uint32_t node, const vec3& axis,
                    float angle);

// The turn from the rest orientation, and back.
quat turnFromRest(const Hierarchy& hierarchy, const Pose& pose, std::uint32_t node);
void setTurnFromRest(const Hierarchy& hierarchy, Pose& pose, std::uint32_t node, const quat& turn);

// Angles about x, then y, then z, all fixed: x and z in (-pi, pi], y in [-pi/2, pi/2].
vec3 eulerOf(const quat& turn);
quat turnOfEuler(const vec3& angles);

// Angle in [0, pi]; no turn has the axis given as `usual`.
struct AxisTurn {
  vec3 axis{1.0f, 0.0f, 0.0f}; // unit
  float angle = 0.0f;
};
AxisTurn axisTurnOf(const quat& turn, const vec3& usual = {1.0f, 0.0f, 0.0f});
quat turnOf(const AxisTurn& turn);

} // namespace sinew
