// How fast every node moves relative to its parent, from two poses a short time apart.
#pragma once

#include "animation/pose.h"

#include <span>
#include <vector>

namespace sinew {

// Both in model space: translation of the node's origin as its parent sees it, in units of length a
// second, and rotation about that origin in radians a second.
struct JointVelocity {
  vec3 linear{0.0f};
  vec3 angular{0.0f};
};

// One per node. `modelFromNode`: F at the moment in between. `seconds`: from `before` to `after`;
// without a positive time nothing moves. Changes of scale are no velocity.
void jointVelocities(const Hierarchy& hierarchy, const Pose& before, const Pose& after,
                     double seconds, std::span<const mat4> modelFromNode,
                     std::vector<JointVelocity>& out);

} // namespace sinew
