// A ragdoll from the switch to rest, without a window: one run with its measurements and its
// motion recorded, and many from seeded starts.
#pragma once

#include "animation/sample.h"
#include "physics/ragdoll.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

inline constexpr double kRecordedPerSecond = 60.0;

struct RagdollRunOptions {
  PhysicsOptions physics;
  double seconds = 5.0;
  std::optional<std::uint32_t> clip; // none: from the rest pose, at rest
  double time = 0.0;                 // time of the switch, in the clip
  double lead = 0.0;                 // seconds of the clip recorded before the switch
  double back = 0.0;                 // seconds of cross-fade back to the clip, at the end
  std::uint64_t seed = 0; // not 0: a clip and time (where none is given) and a toss by chance
  bool ball = false;      // thrown at it half a second after the switch
  bool walls = false;     // four, a body's length away
  RagdollStart start;
  bool record = false;
};

// Worst and mean are over all steps; percent are of the height of the bodies in the bind pose.
struct RagdollRun {
  std::string clip; // the switch was made from; empty: the rest pose
  double time = 0.0;
  RagdollSwitch switched;
  double height = 0.0;        // metres
  double anchorPercent = 0.0; // largest distance of two anchors
  double meanAnchorPercent = 0.0;
  std::string anchorJoint;
  double limitDegrees = 0.0; // largest excess over a limit
  double meanLimitDegrees = 0.0;
  std::string limitJoint;
  double throughPercent = 0.0; // deepest through the ground
  double largestEnergy = 0.0;  // kinetic and potential, joules
  double firstEnergy = 0.0;
  bool finite = true;
  std::optional<double> restAfter; // seconds from the switch on
  double centerPercent = 0.0;      // height of the centre of mass at the end
  // Height of the bodies' lowest points, mean over the mass, at the end: near 0 where all of it
  // lies on the ground, whatever its thickness.
  double raisedPercent = 0.0;
  RagdollState end;
  std::uint64_t hash = 0; // after all steps
  std::uint64_t steps = 0;
  double msPerStep = 0.0;
  std::vector<double> worstSeverity; // metres, per joint
  std::vector<double> severity;      // at the end
  std::vector<Pose> recording;       // kRecordedPerSecond
};

// Throws usageError for a bone of `start` that has no body.
RagdollRun runRagdoll(const Model& model, const RagdollConfig& config,
                      const RagdollRunOptions& options);

// Energy of the bodies against the animation's, 0.05 is 5 percent; 0 where nothing moves.
double energyError(const RagdollSwitch& switched);

// What a ragdoll has to hold (docs/ragdoll.md).
struct RagdollLimits {
  double anchorPercent = 1.0;
  double limitDegrees = 5.0;
  double throughPercent = 2.0;
  double energyError = 0.05;
  // One of the two, where nothing holds it up: it lies.
  double centerPercent = 25.0;
  double raisedPercent = 12.0;
};

// The limits that a run breaks, in words; empty: none. It must come to rest when nothing drives it.
std::vector<std::string> brokenLimits(const RagdollRun& run, const RagdollRunOptions& options,
                                      const RagdollLimits& limits);

} // namespace sinew
