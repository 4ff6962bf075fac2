// poseAt() of workbench.h: springs on the way to a moment.

#include "app/workbench.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kStepsPerSecond = 60.0;

// Clip and layers at a moment; dt: since what `state` holds.
void poseFrom(const Workbench& bench, std::optional<std::uint32_t> clip, double seconds, double dt,
              Wrap wrap, PoseMemory& memory, MovementState& state, Pose& pose) {
  if (const float length = bench.movement.seconds; length > 0.0f) {
    TimeMap whole;
    whole.wrap = wrap;
    seconds = static_cast<double>(mapTime(whole, seconds, length).time);
  }
  if (clip)
    sample(bench.model, playOf(bench, *clip, wrap), seconds, memory.clip, pose);
  else
    pose = bench.held;
  applyFade(bench.model, memory.fade, seconds, pose);
  evaluate(bench.model, bench.movement, state, seconds, dt, pose);
}

constexpr double kSame = 1e-6; // of a step

// Steps are at the same moments to the last bit, however many sums led to them: layers begin there.
double onStep(double seconds) {
  const double step = std::round(seconds * kStepsPerSecond);
  return std::abs(seconds * kStepsPerSecond - step) < kSame ? step / kStepsPerSecond : seconds;
}

// On a step, so that every way to a moment takes the same ones.
double startBefore(double seconds, double preRoll) {
  const double start = std::max(seconds - preRoll, std::min(seconds, 0.0));
  return std::floor(start * kStepsPerSecond) / kStepsPerSecond;
}

} // namespace

void poseAt(const Workbench& bench, std::optional<std::uint32_t> clip, double seconds, Wrap wrap,
            PoseMemory& memory, Pose& pose) {
  if (!remembers(bench.movement))
    return poseFrom(bench, clip, seconds, 0.0, wrap, memory, memory.movement, pose);

  const double gone = seconds - memory.time;
  if (!(gone >= 0.0 && gone <= std::max(memory.preRoll, kLongestStep))) {
    memory.movement = {};
    memory.time = startBefore(seconds, memory.preRoll);
    poseFrom(bench, clip, memory.time, 0.0, wrap, memory, memory.movement, pose);
  }
  const double steps = std::floor((seconds - memory.time) * kStepsPerSecond + kSame);
  const double start = memory.time;
  for (double i = 1.0; i <= steps; ++i) {
    memory.time = onStep(start + i / kStepsPerSecond);
    poseFrom(bench, clip, memory.time, 1.0 / kStepsPerSecond, wrap, memory, memory.movement, pose);
  }
  copyMemory(memory.movement, memory.ahead);
  poseFrom(bench, clip, seconds, std::max(seconds - memory.time, 0.0), wrap, memory, memory.ahead,
           pose);
}

} // namespace sinew
