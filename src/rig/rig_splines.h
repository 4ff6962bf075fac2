// The free splines of a rig: a step of buildRig().
#pragma once

#include "rig/rig.h"

namespace sinew {

// Fills rig.splines and rig.splineInfluences; does nothing if the model has no free splines.
// firstJoint: per mesh the index in rig.joints of the first joint of its skin (or of its one
// joint). A spline used by meshes of different skins is added once per skin; so is one that no
// vertex of such a mesh follows yet, if the skin binds its nodes. Asserts that a spline's nodes are
// joints of the skins whose meshes use it.
void appendSplines(const Model& model, const std::vector<std::uint32_t>& firstJoint, Rig& rig);

// After rig.influences or rig.splineInfluences have changed: what free splines leave of each vertex
// goes to the rigid splines of its bones, by rig.influences. Vertices without such a rest stay.
void giveRestToBones(Rig& rig);

} // namespace sinew
