// Shared by the methods that blend rigid motions: a joint's matrix as a stretch, then a rigid
// motion. What all joints are scaled by is about bind space's origin, the rest about the joint's
// centre (docs/methods.md, section 4).
#pragma once

#include "core/polar.h"
#include "skinning/bone_palette.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace sinew {

inline constexpr std::array<std::string_view, 3> kStretchRows{
    "stretch of M(j) about the joint's centre, row 0 of 3: read where NON_UNIFORM_SCALE",
    "stretch, row 1",
    "stretch, row 2",
};

// M x = rotation (stretch x) + translation.
struct TwoPhases {
  quat rotation{1.0f, 0.0f, 0.0f, 0.0f}; // unit
  vec3 translation{0.0f};
  std::array<vec4, 3> stretch; // rows
  mat3 linear() const {
    return {vec3(stretch[0]), vec3(stretch[1]), vec3(stretch[2])};
  } // symmetric
};

// M of a joint, with its linear part as rotation and stretch.
struct JointParts {
  mat4 modelFromBind{1.0f};
  RotationStretch linear;
};

// One per joint; the thread's own memory, until its next call.
std::span<const JointParts> jointParts(const Rig& rig, std::span<const mat4> modelFromNode);

// What the whole character is scaled by: the scale of the topmost joint that moves skin, or of the
// one above most joints if there are several. It is not the scale of most joints, as a chest that
// breathes scales both arms. Exactly 1 up to noise. centers: as appendJointCenters().
float commonScale(const Rig& rig, std::span<const JointParts> joints,
                  std::span<const vec4> centers);

// The stretch leaves commonScale * center where a scale by commonScale puts it.
TwoPhases twoPhases(const JointParts& joint, const vec3& center, float commonScale = 1.0f);

// A(j)'s translation: where a stretch of the joint alone holds the skin fixed, so that bind space's
// origin does not matter.
vec3 jointCenter(const RigJoint& joint);

// The largest distance of each joint's vertices from its centre; 0: it has none. The binding has
// the attributes of bindBones().
std::vector<float> jointReaches(const Rig& rig, const Binding& binding);

// Binding::constants: the centre of every joint, and its reach.
void appendJointCenters(const Rig& rig, Binding& binding);

// Method::pack() of a method whose entries have a rigid motion and, from `stretchRow` on, the
// stretch before it: write(joint, modelFromBind, phases, entry) fills the other rows. Returns
// whether some joint stretches, by more than noise.
template <class Write>
bool packTwoPhases(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                   std::span<vec4> rows, std::size_t stretchRow, const Write& write) {
  const std::size_t count = rig.joints.size();
  const std::span<const JointParts> joints = jointParts(rig, modelFromNode);
  const std::span<const vec4> centers = std::span(binding.constants).first(count);
  const float size = skeletonSize(centers, 1);
  const float scale = commonScale(rig, joints, centers);
  bool stretches = scale != 1.0f;
  for (std::size_t j = 0; j < count; ++j) {
    const TwoPhases phases = twoPhases(joints[j], vec3(centers[j]), scale);
    stretches = stretches || !isRigid(stretchNoise(phases.linear()), centers[j].w, size);
    const std::span<vec4> entry = rows.subspan(binding.rowsPerEntry * j, binding.rowsPerEntry);
    std::ranges::copy(phases.stretch, entry.begin() + static_cast<std::ptrdiff_t>(stretchRow));
    write(j, joints[j].modelFromBind, phases, entry);
  }
  return stretches;
}

// A quaternion as a row (x, y, z, w), and back.
vec4 asRow(const quat& q);
quat asQuat(const vec4& row);

} // namespace sinew
