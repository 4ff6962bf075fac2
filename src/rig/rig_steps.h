// Steps of buildRig(): morph targets, free splines, and joints without skin.
#pragma once

#include "rig/rig.h"

#include <vector>

namespace sinew {

// Per skin of the model its first joint in the rig. Equal skins share their joints.
std::vector<std::uint32_t> findFirstJoints(const Model& model);

// Fills rig.morphs; the rig has all vertices. Where a target brings no normals, they are found by
// finite differences: the normal of the surface that the whole target has moved, less the one in
// the bind pose, each the area-weighted mean around the vertex, and that rotation applied to the
// vertex's own normal. Vertices at one place with one normal share it, so that no seam opens.
void appendMorphs(const Model& model, Rig& rig);

// Fills rig.splines and rig.splineInfluences; does nothing if the model has no free splines.
// firstJoint: per mesh the index in rig.joints of the first joint of its skin (or of its one
// joint). A spline used by meshes of different skins is added once per skin; so is one that no
// vertex of such a mesh follows yet, if the skin binds its nodes. Asserts that a spline's nodes are
// joints of the skins whose meshes use it.
void appendSplines(const Model& model, const std::vector<std::uint32_t>& firstJoint, Rig& rig);

// After rig.influences or rig.splineInfluences have changed: what free splines leave of each vertex
// goes to the rigid splines of its bones, by rig.influences. Vertices without such a rest stay.
void giveRestToBones(Rig& rig);

// Per node: where its rest pose places it in the model.
std::vector<mat4> restOfNodes(const Hierarchy& hierarchy);

// Per joint: whether some vertex has weight of it.
std::vector<bool> jointsWithSkin(const Rig& rig);

// The bind matrix of a joint without skin often means nothing in the file, since a viewer of linear
// blending never reads it; other methods read it of a joint's parent. Binds such joints as the
// nearest joint with skin is bound, where their own matrix cannot belong to it: the identity, or of
// another scale (docs/methods.md, section 7).
void placeUnusedJoints(const Hierarchy& hierarchy, Rig& rig);

// Gives each joint that shares no skin with its ancestor a bone with which it shares skin as its
// parent: the next ancestor with skin, or a bone that stands for an ancestor. That is one at the
// place of an ancestor without skin, as in rigs whose controls and bones are different joints, or
// one on the way from an ancestor with skin, as a helper that twists (docs/methods.md, section 7).
void bendAgainstSkin(const Hierarchy& hierarchy, Rig& rig);

} // namespace sinew
