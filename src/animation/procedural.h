// Movements made by rule: each changes a pose that a clip or another movement has made. All angles
// in radians, all times in seconds; weight in [0, 1] scales what is added. The same time gives the
// same pose, so time may jump. (What remembers is in spring_chain.h, what is written as text in
// expression.h.)
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <vector>

namespace sinew {

// A wave that runs down a chain: joint i turns by  amplitude (1 + growth i) sin(2 pi frequency t -
// phase i)  about the axis.
struct SineWave {
  std::vector<std::uint32_t> chain; // root to tip
  vec3 axis{0.0f, 0.0f, 1.0f};      // unit, each joint's own
  float amplitude = 0.2f;
  float frequency = 1.0f; // turns a second
  float phase = 0.6f;     // from one joint to the next
  float growth = 0.0f;    // of the amplitude from one joint to the next
};
void applySineWave(const SineWave& wave, double time, float weight, Pose& pose);

// The chest widens and falls back: in for two fifths of a breath, out for the rest, each starting
// and ending gently. Only the chest is scaled: what hangs on it is moved, and scaled back, exactly.
struct Breathing {
  std::uint32_t chest = 0;
  float perMinute = 15.0f;
  float depth = 0.03f;         // of the chest's size at the full breath
  float lift = 0.02f;          // by which the chest turns back about `axis`
  vec3 axis{1.0f, 0.0f, 0.0f}; // unit, the chest's own
};
// In [0, 1]: how full the breath is.
float breath(double time, float perMinute);
void applyBreathing(const Hierarchy& hierarchy, const Breathing& breathing, double time,
                    float weight, Pose& pose);

// The tip of a chain (neck, head) faces a point; every joint takes an equal part of the turn. No
// more than `reach` away from where the pose given faces: a target further round is followed along
// that rim, and one nearly behind is let go of, so that the head does not flip from side to side.
// Turns are the shortest, as the eye's are (Listing's law).
struct LookAt {
  std::vector<std::uint32_t> chain; // root to tip
  vec3 forward{0.0f, 0.0f, 1.0f};   // unit, the tip's own axes
  vec3 target{0.0f};                // model space
  float reach = 1.2f;               // in [0, pi)
};
void applyLookAt(const Hierarchy& hierarchy, const LookAt& look, float weight, Pose& pose);

// The direction to look in: `facing` turned towards `wanted` (both unit) as LookAt says.
vec3 lookDirection(const vec3& facing, const vec3& wanted, float reach);

} // namespace sinew
