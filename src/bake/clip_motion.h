// The motion of helpers and corrective shapes through a clip, for engines that interpolate between
// keys: fitted over time, and measured at the keys and half way between them.
#pragma once

#include "bake/bake.h"

#include <vector>

namespace sinew {

struct ClipMotion {
  std::vector<float> times;                     // seconds, strictly increasing
  std::vector<std::vector<Transform>> helpers;  // [time][helper], local
  std::vector<std::vector<float>> morphWeights; // [time][corrective shape]
};

// All keys of the clip's own tracks, and as many more as it takes for so many a second. A track
// that steps adds the last moment before each step.
std::vector<float> motionTimes(const Clip& clip, double framesPerSecond);

// The helpers at each of these times that bring linear blending nearest to the target, with a weak
// term towards the times before and after. Without it a helper turns by half a rotation from one
// key to the next wherever several motions fit almost equally well.
// clip: of the workbench's model. meter: one piece for every kMotionTimesAtOnce times. Throws
// Cancelled.
inline constexpr std::size_t kMotionTimesAtOnce = 64;
ClipMotion fitMotion(const BakeProblem& problem, std::uint32_t clip, std::vector<float> times,
                     ProgressMeter& meter);

// Adds the motion to a clip of the baked model. helperNodes: per helper; firstTarget: the morph
// target of the first corrective shape.
void addMotion(const ClipMotion& motion, const Model& baked,
               const std::vector<std::uint32_t>& helperNodes, std::uint32_t firstTarget,
               Clip& clip);

// The target's shapes at moments of a clip of the workbench's model, `source`, with helpers and
// corrective shapes as the baked model's clip moves them.
BakeShapes playedShapes(const BakeProblem& problem, const Model& baked, std::uint32_t source,
                        const Clip& clip, std::span<const float> times);

// The errors of the baked model's clip, sampled as an engine does, against the target in the clip
// that it was made of, of the workbench's model. All errors are shares of the model's size.
struct MotionErrors {
  BakeError keys;       // at `times`
  BakeError between;    // half way between them
  BakeError linear;     // the model's own weights, as many as the result has, at all moments
  double excess = 0.0;  // the largest error of a moment minus that of linear blending, at most
  std::string excessAt; // that moment
  std::vector<float> midpoints;    // the moments between keys
  std::vector<double> atMidpoints; // the largest error at each of them
  std::vector<double> atKeys;      // the larger one of the keys before and after it
  std::vector<double> excesses;    // this error minus that of linear blending
};

MotionErrors measureMotion(const BakeProblem& problem, const Model& baked, std::uint32_t source,
                           const Clip& clip, const std::vector<float>& times);

} // namespace sinew
