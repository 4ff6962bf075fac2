// The steps of making the humanoid: its skeleton, its surface, its weights, its clips.
#pragma once

#include "demo/rigging.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::humanoid {

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

enum class Part : std::uint8_t { skin, hair, shirt, trousers, shoes };
inline constexpr std::size_t kPartCount = 5;

// The whole skin as one closed mesh, mirrored exactly about x = 0.
struct Surface {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<Part> parts; // one per triangle
};

Surface makeSurface();

// Negative inside the left half of the body; p.x >= 0.
float bodyField(const vec3& p);

// Positive on the hair's side of the line from the brow over the ears to the nape; p.x >= 0.
float aboveHairline(const vec3& p);

inline constexpr float kArmHeight = 1.305f; // of the arms' middle line

// The weight of every joint (order of joints()) at every vertex.
std::vector<std::vector<float>> makeWeights(const Surface& surface);

enum class Side : std::uint8_t { left, right };

// Where a foot is to be, in model space, beside its place in the bind pose.
struct Footing {
  vec3 offset{0.0f};    // of the point it turns about; +X is outward on both sides
  float pitch = 0.0f;   // degrees, toes up, about the heel; when negative, about the toes' joint
  float toeOut = 0.0f;  // degrees
  float toeBend = 0.0f; // degrees, toes up against the foot
};

// Bends one leg so that the foot stands there, given the hips' transform in `local`: two-bone
// inverse kinematics in closed form, the knee forward. A foot out of reach is reached for.
void placeFoot(std::span<Transform> local, Side side, const Footing& footing);

std::vector<Clip> makeClips(const Model& model);

} // namespace sinew::humanoid
