// Bodies bound to bones: a body stands to its bone as it does in the bind pose (Lovrović 2015,
// section 4.2, equation 4.1), so a pose of the bones places the bodies.
#pragma once

#include "animation/pose.h"
#include "physics/joint_math.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct BodyBinding {
  std::uint32_t node = 0;
  BodyPlace bind;          // of the body in the bind pose; model units
  mat4 bindFromNode{1.0f}; // inverse of where the bone stands then
};

// One per body; throws inputError where a bone is not in the model.
std::vector<BodyBinding> bindBodies(const Model& model, std::span<const RagdollBody> bodies);

// Where a pose (its modelFromNode) puts a body: rigidly, what it stretches left aside.
BodyPlace placeOf(const BodyBinding& binding, std::span<const mat4> modelFromNode);

} // namespace sinew
