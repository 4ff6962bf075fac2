// A whole bake: what is written, and what was measured.
#pragma once

#include "bake/bake.h"
#include "bake/helper_drivers.h"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct BakeRunOptions {
  BakeOptions bake;              // its clips are those that the model keeps
  double framesPerSecond = 30.0; // keys of the helpers
  bool drivers = true;
};

struct BakeRun {
  std::string glb;                         // the file
  std::string drivers;                     // likewise, JSON; empty: without
  BakeError linear, heldOut;               // held-out poses: the model's own weights, the result
  std::optional<BakeError> clips;          // frame by frame and between them
  std::vector<BakeStep> curve;             // from no helper on
  std::size_t poses = 0, heldOutPoses = 0; // that were looked at
  std::size_t helpers = 0;
  std::optional<HelperDrivers> helperDrivers; // none: without
  std::size_t constraints = 0;                // helpers that are VRMC_node_constraint
};

// Of the bench's first method, over what its pose drivers make of its clips. Throws inputError
// without a skin, and Cancelled.
BakeRun runBake(Workbench bench, const BakeRunOptions& options);

} // namespace sinew
