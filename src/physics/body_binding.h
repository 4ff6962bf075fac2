// Bodies bound to bones: a body keeps its transform relative to its bone from the bind pose
// (Lovrović 2015, section 4.2, equation 4.1), so a pose of the bones gives the transforms of the
// bodies.
#pragma once

#include "animation/pose.h"
#include "physics/joint_math.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct BodyBinding {
  std::uint32_t node = 0;
  RigidTransform bind;     // of the body in the bind pose; model units
  mat4 bindFromNode{1.0f}; // inverse of the bone's matrix in it
};

// One per body; throws inputError where a bone is not in the model.
std::vector<BodyBinding> bindBodies(const Model& model, std::span<const RagdollBody> bodies);

// A body's transform in a pose (its modelFromNode); scale and shear are ignored.
RigidTransform bodyTransform(const BodyBinding& binding, std::span<const mat4> modelFromNode);

} // namespace sinew
