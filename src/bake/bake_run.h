// A whole bake: what is written, and what was measured.
#pragma once

#include "bake/baked_model.h"
#include "bake/helper_drivers.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct BakeRunOptions {
  BakeOptions bake;              // its clips are those that the model keeps
  double framesPerSecond = 30.0; // keys of the helpers
  bool drivers = true;           // not where skin follows velocities, which no pose tells
};

// What was baked, and into what.
struct BakeOutcome {
  Workbench workbench; // with what layers and drivers make of its clips
  BakeResult result;   // of that workbench; without the shapes that were fitted
  Model model;         // baked
};

struct BakeRun {
  std::string glb;                         // the file
  std::vector<std::string> leftOut;        // of it, a line each
  std::string drivers;                     // likewise, JSON; empty: without
  BakeError linear, heldOut;               // held-out poses: the model's own weights, the result
  std::optional<BakeError> clips;          // at keys and half way between them
  std::vector<BakedClipErrors> clipErrors; // of each clip
  std::vector<BakeStep> curve;             // from no helper on
  std::size_t poses = 0, heldOutPoses = 0; // that were looked at
  std::size_t helpers = 0;
  std::size_t morphs = 0;                     // corrective shapes
  std::optional<HelperDrivers> helperDrivers; // none: without
  std::size_t constraints = 0;                // helpers that are VRMC_node_constraint
  std::shared_ptr<const BakeOutcome> outcome;
};

// The larger of the errors of held-out poses and clips: neither is a bound of the other.
const BakeError& largestError(const BakeRun& run);

// Why the result must not be written: the moment of a clip at which it is farther from the target
// than linear blending with the model's own weights, by more than the tolerance, a share of the
// size. Empty: none is.
std::string worseThanLinear(const BakeRun& run, double tolerance);

// Of the workbench's first method, over what its animation layers and pose drivers make of its
// clips; without a clip, of what layers make of the rest pose ("layers"). Throws inputError without
// a skin, usageError for layers that have no end, and Cancelled.
BakeRun runBake(Workbench workbench, const BakeRunOptions& options);

} // namespace sinew
