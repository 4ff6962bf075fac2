// The humanoid's joints and how the skin follows them.
#pragma once

#include "demo/rigging.h"
#include "model/mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew::humanoid {

inline constexpr vec3 kX(1, 0, 0);
inline constexpr vec3 kY(0, 1, 0);
inline constexpr vec3 kZ(0, 0, 1);

// Numbers of the joints: the middle, the left side, and the right side in the same order.
enum Joint : std::uint8_t {
  kHips,
  kSpine,
  kChest,
  kNeck,
  kHead,
  kShoulder,
  kUpperArm,
  kLowerArm,
  kHand,
  kFingers,
  kThumb,
  kUpperLeg,
  kLowerLeg,
  kFoot,
  kToes,
  kLeftEnd
};
inline constexpr std::size_t kLeftCount = kLeftEnd - kShoulder;
inline constexpr std::size_t kJointCount = kLeftEnd + kLeftCount;

// Bind pose, metres. The right side mirrors the left.
std::span<const JointSpec> joints();

inline constexpr float kArmHeight = 1.305f; // of the arms' middle line

// The weight of every joint (order of joints()) at every vertex of the skin.
std::vector<std::vector<float>> makeWeights(std::span<const vec3> positions,
                                            std::span<const Triangle> triangles);

} // namespace sinew::humanoid
