// A new bind pose and the weights that fit it: what `sinew repose` and the window do.
#pragma once

#include "bake/refit_weights.h"
#include "weights/repose_model.h"

#include <optional>

namespace sinew {

struct ReposeOptions {
  bool exact = false;           // offset joints, with weights that change nothing
  bool keepWeights = false;     // else they are solved again; not with `exact`
  std::uint32_t influences = 4; // per vertex, where they are solved
  Progress progress;
};

// What was made of the model, and measured.
struct ReposeOutcome {
  ReposedModel reposed;
  std::optional<RefitErrors> poses; // without `exact`
  PlayedDifference clips;
};

// Throws as reposeModel() does, inputError for a model without a skin, and Cancelled.
ReposeOutcome reposeAndRefit(const Model& model, const Pose& pose, const ReposeOptions& options);

} // namespace sinew
