// The free splines of a model, for a rig: step of buildRig.
#pragma once

#include "rig/rig.h"

namespace sinew {

// Fills rig.splines and rig.splineInfluences; nothing where the model has no free splines.
// firstJoint: per mesh, where the joints of its skin (or its one joint) begin in rig.joints. A
// spline that meshes of different skins follow is there once for each; so is one that no vertex of
// such a mesh follows yet, where the skin binds its nodes. Asserts that a spline's nodes are joints
// of the skins whose meshes follow it.
void appendSplines(const Model& model, const std::vector<std::uint32_t>& firstJoint, Rig& rig);

} // namespace sinew
