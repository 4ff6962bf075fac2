// The parts of the humanoid: its joints and how the skin follows them, its surface and its motion.
#pragma once

#include "core/transform.h"
#include "demo/rigging.h"
#include "model/mesh.h"
#include "model/model.h"

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

inline constexpr float kArmHeight = 1.305f; // height of the arms' middle line

// The weight of every joint (order of joints()) at every vertex of the skin.
std::vector<std::vector<float>> makeWeights(std::span<const vec3> positions,
                                            std::span<const Triangle> triangles);

// The body as a field: tables of cross-sections for trunk, arm and leg, capsules for fingers,
// ellipsoids for head and feet, smoothly joined. Negative inside the left half of the body; p.x >=
// 0.
float bodyField(const vec3& p);

// Positive on the hair's side of the line from the brow over the ears to the nape; p.x >= 0.
float aboveHairline(const vec3& p);

enum class Part : std::uint8_t { skin, hair, shirt, trousers, shoes };
inline constexpr std::size_t kPartCount = 5;

// The whole skin as one closed mesh, mirrored exactly about x = 0.
struct Surface {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<Part> parts; // one per triangle
};

// From the field to a mesh: half a body by surface nets on a grid that narrows towards hand and
// head, evened out, cut along the edges of the clothes, mirrored.
Surface makeSurface();

enum class Side : std::uint8_t { left, right };

// Where a foot is to be, in model space, relative to the bind pose.
struct Footing {
  vec3 offset{0.0f};    // moves the point about which it rotates; +X is outward on both sides
  float pitch = 0.0f;   // degrees, toes up, about the heel; when negative, about the toes' joint
  float toeOut = 0.0f;  // degrees
  float toeBend = 0.0f; // degrees, toes up against the foot
};

// Bends one leg so that the foot is there, given the hips' transform in `local`: two-bone
// inverse kinematics in closed form, the knee forward. A foot out of reach is reached for.
void placeFoot(std::span<Transform> local, Side side, const Footing& footing);

std::vector<Clip> makeClips(const Model& model);

} // namespace sinew::humanoid
