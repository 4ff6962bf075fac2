// The rig of one model for another: its skeleton and clips, and weights as transferWeights() has
// them.
#pragma once

#include "core/progress.h"
#include "model/model.h"
#include "weights/transfer_weights.h"

#include <string>
#include <vector>

namespace sinew {

struct TransferRigOptions {
  TransferOptions weights;
  // Names of the source's joints whose weights are taken; all others stay as the target has
  // them (merge_rigs.h). Empty: all.
  std::vector<std::string> joints = {};
  bool below = false; // the joints below them too
  float mix = 1.0f;   // share of the new weights; the rest is the target's own
  bool addJoints =
      false; // add to the target's skeleton, whose clips stay; else the source's replaces it
  bool mirror = false; // the source's mirror image: its left joints' weights for the right ones
  bool dress = false;  // the source's own meshes are part of the result, before the target's

  bool keepsOwnWeights() const { return !joints.empty() || mix < 1.0f; }
};

struct TransferredRig {
  Model model;                     // the target, rigged; or the source with the target's meshes
  std::vector<std::string> joints; // names for the joint indices of `weights`
  TransferredWeights weights;      // per vertex of the target
};

// Both stand in the same place in their bind poses. Throws inputError for a source without weights,
// for a model without a mesh, and for a target whose own weights are to stay if it has none, or has
// some of a joint that the result lacks; usageError for joints that the source lacks, and for a
// mirror image of a source without two sides; Cancelled.
TransferredRig transferRig(const Model& source, const Model& target,
                           const TransferRigOptions& options, const Progress& progress = {});

// How many vertices have their weights from there.
std::size_t countOrigins(const TransferredWeights& weights, TransferOrigin origin);

} // namespace sinew
