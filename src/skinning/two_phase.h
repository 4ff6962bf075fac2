// Shared by the methods that blend rigid motions: a joint's matrix as a stretch about the joint's
// centre, then a rigid motion (docs/methods.md, section 4).
#pragma once

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
  std::array<vec4, 3> stretch; // rows; they leave the centre where it is
  bool stretches = false;      // they are not the identity
  mat3 linear() const {
    return {vec3(stretch[0]), vec3(stretch[1]), vec3(stretch[2])};
  } // symmetric
};

TwoPhases twoPhases(const mat4& modelFromBind, const vec3& center);

// A(j)'s translation: where a stretch holds the skin fixed, so that bind space's origin does not
// matter.
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
  bool stretches = false;
  const float size = skeletonSize(std::span(binding.constants).first(rig.joints.size()), 1);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const RigJoint& joint = rig.joints[j];
    const mat4 modelFromBind = modelFromNode[joint.node] * joint.jointFromBind;
    const TwoPhases phases = twoPhases(modelFromBind, vec3(binding.constants[j]));
    stretches = stretches || !isRigid(stretchNoise(phases.linear()), binding.constants[j].w, size);
    const std::span<vec4> entry = rows.subspan(binding.rowsPerEntry * j, binding.rowsPerEntry);
    std::ranges::copy(phases.stretch, entry.begin() + static_cast<std::ptrdiff_t>(stretchRow));
    write(j, modelFromBind, phases, entry);
  }
  return stretches;
}

// A quaternion as a row (x, y, z, w), and back.
vec4 asRow(const quat& q);
quat asQuat(const vec4& row);

} // namespace sinew
