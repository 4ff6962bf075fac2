#include "skinning/two_phase.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <cmath>
#include <vector>

namespace sinew {

std::span<const JointParts> jointParts(const Rig& rig, std::span<const mat4> modelFromNode) {
  static thread_local std::vector<JointParts> parts;
  parts.clear();
  for (const RigJoint& joint : rig.joints) {
    const mat4 modelFromBind = modelFromNode[joint.node] * joint.jointFromBind;
    parts.push_back({modelFromBind, polar(mat3(modelFromBind))});
  }
  return parts;
}

float commonScale(const Rig& rig, std::span<const JointParts> joints,
                  std::span<const vec4> centers) {
  static thread_local std::vector<std::uint32_t> tops, counts;
  tops.assign(joints.size(), kNoNode);
  counts.assign(joints.size(), 0);
  std::uint32_t chosen = kNoNode;
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    const std::uint32_t parent = rig.joints[j].parent;
    if (parent != kNoNode) tops[j] = tops[parent];
    if (!(centers[j].w > 0.0f)) continue;
    if (tops[j] == kNoNode) tops[j] = j;
    ++counts[tops[j]];
    if (chosen == kNoNode || counts[tops[j]] > counts[chosen]) chosen = tops[j];
  }
  if (chosen == kNoNode) return 1.0f;
  const mat3& stretch = joints[chosen].linear.stretch;
  const float scale = (stretch[0][0] + stretch[1][1] + stretch[2][2]) / 3.0f;
  return std::abs(scale - 1.0f) <= kRigidSlope ? 1.0f : scale;
}

TwoPhases twoPhases(const JointParts& joint, const vec3& center, float commonScale) {
  const RotationStretch& parts = joint.linear;
  const vec3 scaled = commonScale * center;
  TwoPhases out{
      parts.rotation, transformPoint(joint.modelFromBind, center) - parts.rotation * scaled, {}};
  const vec3 shift = scaled - parts.stretch * center;
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
