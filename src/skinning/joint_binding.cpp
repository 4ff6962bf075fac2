#include "skinning/joint_binding.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {

float parameterValue(std::span<const Parameter> parameters, const BindOptions& options,
                     std::size_t index) {
  return index < options.parameters.size() ? options.parameters[index] : parameters[index].value;
}

JointBinding bindJoints(const Rig& rig, const BindOptions& options) {
  JointBinding joints;
  joints.fromZone.assign(rig.joints.size(), parameterValue(kJointParameters, options, 0) != 0.0f);
  for (std::size_t j = 0; j < options.sources.size(); ++j)
    if (options.sources[j]) joints.fromZone[j] = *options.sources[j] == ParameterSource::zone;
  const float kept = std::clamp(parameterValue(kJointParameters, options, 1), 1.0f, 3.0f);
  joints.axes = boneAxes(rig);
  joints.zones = options.zones.empty() ? zonesFromWeights(rig, joints.axes) : options.zones;
  joints.parents = parentOrSelf(rig);
  joints.attachments = attachToJoints(rig, static_cast<std::uint32_t>(std::lround(kept)));
  joints.used.assign(rig.joints.size(), false);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const std::uint32_t first = joints.attachments.offsets[v];
    const std::uint32_t end = joints.attachments.offsets[v + 1];
    joints.most = std::max(joints.most, end - first);
    for (std::uint32_t i = first; i < end; ++i) {
      JointAttachment& attachment = joints.attachments.values[i];
      const std::uint32_t j = attachment.joint;
      joints.used[j] = true;
      if (joints.fromZone[j])
        attachment.childShare = zoneParameter(joints.axes[j], joints.zones[j], rig.positions[v]);
    }
  }
  return joints;
}

bool JointBinding::anyFromZone() const {
  for (std::size_t j = 0; j < used.size(); ++j)
    if (used[j] && fromZone[j]) return true;
  return false;
}

bool JointBinding::allFromZone() const {
  for (std::size_t j = 0; j < used.size(); ++j)
    if (used[j] && !fromZone[j]) return false;
  return true;
}

std::array<JointAttachment, 3> paddedAttachments(const JointBinding& joints, std::size_t vertex) {
  const auto source = joints.attachments.of(vertex);
  std::array<JointAttachment, 3> out;
  out.fill({source[0].joint, 0.0f, source[0].childShare});
  std::copy(source.begin(), source.end(), out.begin());
  return out;
}

void appendAttachments(const JointBinding& joints, Binding& binding) {
  binding.defines.push_back("ATTACHMENTS " + std::to_string(joints.most));
  const bool few = binding.itemCount <= 256;
  Attribute items{"joints0", few ? AttributeFormat::uint8x4 : AttributeFormat::uint16x4, true, {}};
  Attribute weights{"weights0", AttributeFormat::unorm16x4, false, {}};
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const auto [a, b, c] = paddedAttachments(joints, v);
    append(items, glm::uvec4(a.joint, b.joint, c.joint, a.joint));
    std::array<float, 3> shares{a.weight, b.weight, c.weight};
    quantizeWeights(shares);
    append(weights, vec4(shares[0], shares[1], shares[2], 0.0f));
  }
  binding.attributes.push_back(std::move(items));
  if (joints.most > 1) binding.attributes.push_back(std::move(weights));
}

void chooseNormals(float choice, bool exactIsCheap, Binding& binding) {
  if (choice == 1.0f && !exactIsCheap) binding.defines.emplace_back(kExactNormals);
  if (choice != 2.0f) return;
  binding.defines.emplace_back(kNoNormals);
  binding.normals = false;
}

std::size_t attachmentCount(const Binding& binding) {
  const auto several = std::ranges::find_if(binding.defines, [](const std::string& define) {
    return define.starts_with("ATTACHMENTS ");
  });
  assert(several != binding.defines.end());
  return static_cast<std::size_t>(several->back() - '0');
}

std::vector<mat4> boneMatrices(const Rig& rig, std::span<const mat4> modelFromNode) {
  std::vector<mat4> matrices;
  matrices.reserve(rig.joints.size());
  for (const RigJoint& joint : rig.joints)
    matrices.push_back(modelFromNode[joint.node] * joint.jointFromBind);
  return matrices;
}

vec3 combineFromFirst(std::span<const vec3> places, const vec3& weights) {
  vec3 out(0.0f);
  for (std::size_t i = 1; i < places.size(); ++i)
    out += weights[static_cast<int>(i)] * (places[i] - places[0]);
  return places[0] + out;
}

vec3 combineFromMiddle(std::span<const vec3> places, const vec3& weights) {
  vec3 middle(0.0f);
  for (const vec3& place : places)
    middle += place;
  middle /= static_cast<float>(places.size());
  vec3 out = middle;
  for (std::size_t i = 0; i < places.size(); ++i)
    out += weights[static_cast<int>(i)] * (places[i] - middle);
  return out;
}

vec3 combinePlainly(std::span<const vec3> places, const vec3& weights) {
  vec3 out(0.0f);
  for (std::size_t i = 0; i < places.size(); ++i)
    out += weights[static_cast<int>(i)] * places[i];
  return out;
}

vec3 combineNormals(std::span<const vec3> normals, const vec3& weights) {
  if (normals.size() == 1) return normals[0];
  vec3 sum(0.0f);
  for (std::size_t i = 0; i < normals.size(); ++i)
    sum += weights[static_cast<int>(i)] * normals[i];
  const float squared = glm::dot(sum, sum);
  return squared > 1e-30f ? sum / std::sqrt(squared) : vec3(0.0f);
}

} // namespace sinew
