#include "skinning/two_phase.h"

#include "core/polar.h"

#include <glm/geometric.hpp>
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

std::vector<float> jointReaches(const Rig& rig, const Binding& binding) {
  std::vector<vec3> centers;
  for (const RigJoint& joint : rig.joints)
    centers.push_back(jointCenter(joint));
  std::vector<float> reaches(centers.size(), 0.0f);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    for (std::size_t i = 0; i < bones.count; ++i) {
      const std::uint32_t j = bones.joints[i];
      if (bones.weights[i] > 0.0f)
        reaches[j] = std::max(reaches[j], glm::distance(rig.positions[v], centers[j]));
    }
  }
  return reaches;
}

void appendJointCenters(const Rig& rig, Binding& binding) {
  const std::vector<float> reaches = jointReaches(rig, binding);
  for (std::size_t j = 0; j < rig.joints.size(); ++j)
    binding.constants.emplace_back(jointCenter(rig.joints[j]), reaches[j]);
}

vec4 asRow(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}

quat asQuat(const vec4& row) {
  return {row.w, row.x, row.y, row.z};
}

} // namespace sinew
