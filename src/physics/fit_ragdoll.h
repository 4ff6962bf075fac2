// A ragdoll assessed from a model: bodies fitted to the skin that bones carry, joints from names,
// sides, the bind pose and what the model's clips show. A start to edit, not a verdict.
#pragma once

#include "physics/body_tree.h"
#include "physics/ragdoll_config.h"
#include "rig/rig.h"

namespace sinew {

// Throws inputError where the model has no skin.
RagdollConfig fitRagdoll(const Model& model, const Rig& rig);

// Its two halves, in the order of the tree: shapes with masses of water's density, and joints.
std::vector<RagdollBody> fitBodies(const Model& model, const BodyTree& tree, float metres);
std::vector<RagdollJoint> fitJoints(const Model& model, const BodyTree& tree,
                                    const std::vector<RagdollBody>& bodies);

} // namespace sinew
