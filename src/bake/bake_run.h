// A whole bake: its files, its measurements, and the method that shows the result.
#pragma once

#include "animation/drivers/driver_set.h"
#include "bake/baked_model.h"
#include "bake/helper_drivers.h"
#include "skinning/method.h"

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
  Workbench workbench; // its clips include layers and drivers
  BakeResult result;   // result for that workbench, without the fitted shapes
  Model model;         // baked
};

struct BakeRun {
  std::string glb;                         // the file, in metres
  std::vector<std::string> leftOut;        // what the file lacks, a line each
  DriverSet drivers;                       // those of helpers and shapes, in the model's own unit
  BakeError linear, heldOut;               // held-out poses: the model's own weights, the result
  std::optional<BakeError> clips;          // at keys and half way between them
  std::vector<BakedClipErrors> clipErrors; // one per clip
  std::vector<BakeStep> curve;             // begins without helpers
  std::size_t poses = 0, heldOutPoses = 0; // numbers of poses that were fitted, and held out
  std::size_t helpers = 0;
  std::size_t morphs = 0;                     // corrective shapes
  std::optional<HelperDrivers> helperDrivers; // none: without
  std::size_t constraints = 0;                // helpers that are VRMC_node_constraint
  std::shared_ptr<const BakeOutcome> outcome;
};

// The file of drivers beside a file in which a length is the model's times this factor.
std::string driversJson(const BakeRun& run, float lengthFactor);

// The larger of the errors of held-out poses and clips: neither is a bound of the other.
const BakeError& largestError(const BakeRun& run);

// Why the result must not be written: the moment of a clip at which it is farther from the target
// than linear blending with the model's own weights, by more than the tolerance, a share of the
// size. Empty: there is no such moment.
std::string worseThanLinear(const BakeRun& run, double tolerance);

// Bakes the workbench's first method, over its clips as animation layers and pose drivers change
// them; without a clip, over the rest pose as layers change it ("layers"). Throws inputError
// without a skin, usageError for layers that have no end, and Cancelled.
BakeRun runBake(Workbench workbench, const BakeRunOptions& options);

// A bake and the rig of its model.
struct BakedSkin {
  std::shared_ptr<const BakeOutcome> outcome;
  Rig rig;
};

BakedSkin bakedSkin(std::shared_ptr<const BakeOutcome> outcome);

// What a bake gives, as a method that is shown beside its target in any pose: linear blending with
// the new weights, and with helpers and the weights of corrective shapes fitted to that pose as
// they are to the frames of clips.
//
// Named "baked"; not one of methods(). The baked model stands in for the one that was baked: it
// binds `*skin` as that is at the time, and throws usageError for another rig.
Method bakedMethod(const std::shared_ptr<const BakedSkin>& skin);

} // namespace sinew
