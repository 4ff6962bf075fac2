// The rig of one model for another: its skeleton and clips, and weights as transferWeights() has
// them.
#pragma once

#include "core/progress.h"
#include "model/model.h"
#include "weights/transfer_weights.h"

#include <string>
#include <vector>

namespace sinew {

struct TransferredRig {
  Model model;                     // the target, rigged; or the source with the target's meshes
  std::vector<std::string> joints; // of the source, by which `weights` count
  TransferredWeights weights;      // per vertex of the target
};

// Both stand in the same place in their bind poses. dress: the source's own meshes are part of the
// result, before those of the target. Throws inputError for a source without weights and for a
// model without a mesh; Cancelled.
TransferredRig transferRig(const Model& source, const Model& target, const TransferOptions& options,
                           bool dress = false, const Progress& progress = {});

// How many vertices have their weights from there.
std::size_t countOf(const TransferredWeights& weights, TransferOrigin origin);

} // namespace sinew
