// A ragdoll estimated from a model: bodies with the density of water fitted to the skin that bones
// carry, joints from names, sides, the bind pose and the model's clips. A first draft to edit.
#pragma once

#include "physics/ragdoll_config.h"
#include "rig/rig.h"

namespace sinew {

// Throws inputError where the model has no skin.
RagdollConfig fitRagdoll(const Model& model, const Rig& rig);

} // namespace sinew
