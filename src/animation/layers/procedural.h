// Procedural animation: each function changes a given pose. All angles in radians, all times in
// seconds; weight in [0, 1] scales the change. The same time gives the same pose, so time may jump.
// (Springs, which have a state, are in spring_chain.h, formulas in expression.h.)
#pragma once

#include "animation/pose.h"

#include <cstdint>
#include <vector>

namespace sinew {

// A wave along a chain: joint i rotates by  amplitude (1 + growth i) sin(2 pi frequency t - phase
// i) about the axis.
struct SineWave {
  std::vector<std::uint32_t> chain; // root to tip
  vec3 axis{0.0f, 0.0f, 1.0f};      // unit, each joint's own
  float amplitude = 0.2f;
  float frequency = 1.0f; // waves per second
  float phase = 0.6f;     // radians from one joint to the next
  float growth = 0.0f;    // relative growth of the amplitude from one joint to the next
};
void applySineWave(const SineWave& wave, double time, float weight, Pose& pose);

// The chest expands for two fifths of a breath and contracts for the rest, both eased. Only the
// chest is scaled: its children move, and their scale is compensated exactly.
struct Breathing {
  std::uint32_t chest = 0;
  float perMinute = 15.0f;
  float depth = 0.03f;         // growth at the full breath, relative to the chest's size
  float lift = 0.02f;          // angle by which the chest leans back about `axis`
  vec3 axis{1.0f, 0.0f, 0.0f}; // unit, the chest's own
};
// In [0, 1]: how full the breath is.
float breath(double time, float perMinute);
void applyBreathing(const Hierarchy& hierarchy, const Breathing& breathing, double time,
                    float weight, Pose& pose);

// The tip of a chain (neck, head) faces a point; every joint takes an equal part of the rotation,
// at most `maxAngle` from the direction of the given pose. A target beyond that is followed along
// the rim of the cone; one nearly behind is gradually ignored, so that the head does not flip from
// side to side. Rotations are the shortest, like those of the eye (Listing's law).
struct Aim {
  std::vector<std::uint32_t> chain; // root to tip
  vec3 forward{0.0f, 0.0f, 1.0f};   // unit, the tip's own axes
  vec3 target{0.0f};                // model space
  float maxAngle = 1.2f;            // in [0, pi)
};
void applyAim(const Hierarchy& hierarchy, const Aim& aim, float weight, Pose& pose);

// The direction to face: `facing` rotated towards `wanted` (both unit) with the limits of Aim.
vec3 aimDirection(const vec3& facing, const vec3& wanted, float maxAngle);

} // namespace sinew
