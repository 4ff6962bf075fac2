// One side of a rig onto the other: weights, corrective shapes and the places of joints.
//
// The plane between the sides and the pairs of joints are those of animation/mirror.h. A vertex
// takes what the closest point of the surface to its mirror image has, of its own mesh where that
// is near, else of all; so the mesh need only be nearly symmetric. Vertices in the plane take the
// mean of their own and their mirrored weights.
#pragma once

#include "animation/mirror.h"
#include "animation/side_names.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

struct MirrorRigOptions {
  Side from = Side::left; // the character's own: the side that stays
  float distance = 0.02f; // limit for the closest point, as a share of the mesh's diagonal
  bool weights = true;
  bool shapes = true;  // smile.L becomes smile.R; one that is missing is added
  bool joints = false; // joints of the other side move to the mirrored places
};

struct MirroredRig {
  Model model;
  std::size_t mirrored = 0;             // vertices of the other side
  std::size_t middle = 0;               // vertices in the plane
  std::vector<std::uint32_t> unmatched; // vertices of the rig that have no mirrored point near
  float farthest = 0.0f;           // largest distance of a matched point, share of the diagonal
  float largestChange = 0.0f;      // half the sum of a vertex's weight differences, at most 1
  std::size_t pairs = 0;           // pairs of joints
  std::vector<std::string> joints; // joints that have no partner and keep their weights
  std::vector<std::string> shapes; // shapes that were replaced
  std::vector<std::string> addedShapes;
  std::size_t movedJoints = 0;
};

// Throws usageError where no two joints are the two sides of each other, or splines bend the skin.
MirroredRig mirrorRig(const Model& model, const MirrorRigOptions& options);

} // namespace sinew
