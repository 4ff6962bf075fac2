// Poses of the humanoid's legs from where its feet are to be.
#pragma once

#include "core/transform.h"

#include <cstdint>
#include <span>

namespace sinew::humanoid {

enum class Side : std::uint8_t { left, right };

// Where a foot is to be, in model space, relative to the bind pose.
struct Footing {
  vec3 offset{0.0f};    // of the point about which it rotates; +X is outward on both sides
  float pitch = 0.0f;   // degrees, toes up, about the heel; when negative, about the toes' joint
  float toeOut = 0.0f;  // degrees
  float toeBend = 0.0f; // degrees, toes up against the foot
};

// Bends one leg so that the foot is there, given the hips' transform in `local`: two-bone
// inverse kinematics in closed form, the knee forward. A foot out of reach is reached for.
void placeFoot(std::span<Transform> local, Side side, const Footing& footing);

} // namespace sinew::humanoid
