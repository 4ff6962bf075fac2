#include "skinning/two_phase.h"

#include "core/polar.h"

#include <glm/matrix.hpp>

namespace sinew {

TwoPhases twoPhases(const mat4& modelFromBind, const vec3& center) {
  const RotationStretch parts = polar(mat3(modelFromBind));
  TwoPhases out{parts.rotation,
                transformPoint(modelFromBind, center) - parts.rotation * center,
                {},
                parts.stretches};
  const vec3 shift = center - parts.stretch * center;
  for (int r = 0; r < 3; ++r)
    out.stretch[static_cast<std::size_t>(r)] = {parts.stretch[0][r], parts.stretch[1][r],
                                                parts.stretch[2][r], shift[r]};
  return out;
}

vec3 jointCenter(const RigJoint& joint) {
  return vec3(glm::inverse(joint.jointFromBind)[3]);
}

void appendJointCenters(const Rig& rig, Binding& binding) {
  for (const RigJoint& joint : rig.joints)
    binding.constants.emplace_back(jointCenter(joint), 0.0f);
}

vec4 asRow(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}

quat asQuat(const vec4& row) {
  return {row.w, row.x, row.y, row.z};
}

} // namespace sinew
