#include "skinning/joint_binding.h"

#include "core/affine.h"
#include "core/error.h"
#include "rig/zones.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {

namespace {

constexpr float kLeastReach = 1e-30f; // least for a joint with vertices, which may be at its centre

// The gradient for a joint whose blend factor grows along its bone: by the fraction of its zone.
vec2 fractionGradient(const JointBinding& joints, const JointAttachment& at, float share,
                      const vec3& normal) {
  const Zone& zone = joints.zones[at.joint];
  if (at.blendFactor <= 0.0f || at.blendFactor >= 1.0f) return vec2(0.0f);
  const SurfaceTangents tangents = surfaceTangents(normal);
  const vec3& along = joints.axes[at.joint].direction;
  return share * at.weight / (zone.max - zone.min) *
         vec2(glm::dot(along, tangents.u), glm::dot(along, tangents.v));
}

// The blend factor by the joint's source and its zone's curve; blendFactor is that of the weights.
void setBlendFactor(const Rig& rig, std::size_t vertex, std::uint32_t index, float share,
                    JointBinding& joints) {
  JointAttachment& at = joints.attachments.values[index];
  const bool exact = !joints.gradients.empty();
  const Zone& zone = joints.zones[at.joint];
  if (joints.fromZone[at.joint]) {
    at.blendFactor = zoneFraction(joints.axes[at.joint], zone, rig.positions[vertex]);
    if (exact)
      joints.gradients[index].parameter = fractionGradient(joints, at, share, rig.normals[vertex]);
  }
  if (zone.curve.kind == BlendCurve::Kind::linear) return;
  if (exact) joints.gradients[index].parameter *= blendSlope(zone.curve, at.blendFactor);
  at.blendFactor = blendAt(zone.curve, at.blendFactor);
}

} // namespace

float shareAt(const BindOptions& options, std::size_t vertex) {
  return options.share != nullptr ? options.share->atVertices[vertex] : 1.0f;
}

JointBinding bindJoints(const Rig& rig, const BindOptions& options, NormalMode normals) {
  JointBinding joints;
  const std::vector<float> parameters = parameterValues(kJointParameters, options);
  joints.fromZone.assign(rig.joints.size(), parameters[0] != 0.0f);
  for (std::size_t j = 0; j < options.sources.size(); ++j)
    if (options.sources[j]) joints.fromZone[j] = *options.sources[j] == ParameterSource::zone;
  const auto limit = static_cast<std::uint32_t>(std::lround(std::clamp(parameters[1], 1.0f, 3.0f)));
  joints.axes = boneAxes(rig);
  joints.zones = options.zones.empty() ? zonesFromWeights(rig, joints.axes) : options.zones;
  joints.parents = parentOrSelf(rig);
  const TakenShares taken = skinOfZones(rig, joints.axes, joints.zones, joints.fromZone);
  joints.attachments = attachToJoints(rig, limit, taken);
  const bool exact = normals == NormalMode::exact;
  if (exact && !taken.values.empty())
    throw usageError("exact normals know no zone that is wider than the skin its weights share",
                     "use normals=cheap");
  if (exact)
    joints.gradients =
        attachmentGradients(rig, jointEdgeRates(rig), limit, options.share, joints.attachments);
  joints.reaches.assign(rig.joints.size(), 0.0f);
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const std::uint32_t first = joints.attachments.offsets[v];
    const std::uint32_t end = joints.attachments.offsets[v + 1];
    joints.maxAttachments = std::max(joints.maxAttachments, end - first);
    for (std::uint32_t i = first; i < end; ++i) {
      const std::uint32_t j = joints.attachments.values[i].joint;
      const float distance = glm::distance(rig.positions[v], joints.axes[j].center);
      joints.reaches[j] = std::max({joints.reaches[j], distance, kLeastReach});
      setBlendFactor(rig, v, i, shareAt(options, v), joints);
    }
  }
  if (exact) dropIdle(joints.attachments, joints.gradients);
  return joints;
}

bool JointBinding::allByDistance() const {
  for (std::size_t j = 0; j < reaches.size(); ++j)
    if (reaches[j] > 0.0f && !(fromZone[j] && zones[j].curve.kind == BlendCurve::Kind::linear))
      return false;
  return true;
}

std::array<JointAttachment, 3> paddedAttachments(const JointBinding& joints, std::size_t vertex) {
  const auto source = joints.attachments.of(vertex);
  std::array<JointAttachment, 3> out;
  out.fill({source[0].joint, 0.0f, source[0].blendFactor});
  std::copy(source.begin(), source.end(), out.begin());
  return out;
}

void appendAttachments(const JointBinding& joints, Binding& binding) {
  binding.variant.attachments = joints.maxAttachments;
  const bool few = binding.entryCount <= 256;
  Attribute entries{
      "joints0", few ? AttributeFormat::uint8x4 : AttributeFormat::uint16x4, true, {}};
  Attribute weights{"weights0", AttributeFormat::unorm16x4, false, {}};
  entries.data.reserve(binding.vertexCount * byteSize(entries.format));
  weights.data.reserve(binding.vertexCount * byteSize(weights.format));
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const auto [a, b, c] = paddedAttachments(joints, v);
    append(entries, glm::uvec4(a.joint, b.joint, c.joint, a.joint));
    std::array<float, 3> fractions{a.weight, b.weight, c.weight};
    quantizeWeights(fractions);
    append(weights, vec4(fractions[0], fractions[1], fractions[2], 0.0f));
  }
  binding.attributes.push_back(std::move(entries));
  if (joints.maxAttachments > 1) binding.attributes.push_back(std::move(weights));
}

void groupByAttachments(const BindOptions& options, std::size_t first, std::size_t each,
                        Binding& binding) {
  const Variant& variant = binding.variant;
  // Exact normals read what varies over the surface behind a vertex's attachments, the other two
  // what is the same for all vertices.
  if (!options.formPerCount || variant.attachments == 1 || variant.vectorized ||
      variant.splineTexture || variant.normals == NormalMode::exact)
    return;
  for (std::uint32_t count = 1; count <= variant.attachments; ++count)
    binding.forms.push_back({static_cast<std::uint32_t>(first + each * count), 0, count});
  const Attribute& weights = findAttribute(binding, "weights0");
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const vec4 of = readFloat(weights, v);
    binding.formByVertex.push_back(of.z > 0.0f ? 2 : of.y > 0.0f ? 1 : 0);
  }
}

TwistRange::Kind twistDefault(float choice) {
  return choice != 0.0f ? TwistRange::Kind::bone : TwistRange::Kind::zone;
}

NormalMode normalMode(float choice) {
  return static_cast<NormalMode>(std::lround(choice));
}

std::span<const mat4> boneMatrices(const Rig& rig, std::span<const mat4> modelFromNode) {
  static thread_local std::vector<mat4> matrices;
  matrices.clear();
  for (const RigJoint& joint : rig.joints)
    matrices.push_back(affineProduct(modelFromNode[joint.node], joint.jointFromBind));
  return matrices;
}

std::span<const BoneMotion> boneMotions(const Rig& rig, std::span<const mat4> modelFromNode) {
  static thread_local std::vector<BoneMotion> bones;
  bones.clear();
  for (const mat4& matrix : boneMatrices(rig, modelFromNode))
    bones.push_back({matrix, scaledRotation(mat3(matrix))});
  return bones;
}

vec3 combineFromFirst(std::span<const vec3> positions, const vec3& weights) {
  vec3 out(0.0f);
  for (std::size_t i = 1; i < positions.size(); ++i)
    out += weights[static_cast<int>(i)] * (positions[i] - positions[0]);
  return positions[0] + out;
}

vec3 combineFromMiddle(std::span<const vec3> positions, const vec3& weights) {
  vec3 middle(0.0f);
  for (const vec3& position : positions)
    middle += position;
  middle /= static_cast<float>(positions.size());
  vec3 out = middle;
  for (std::size_t i = 0; i < positions.size(); ++i)
    out += weights[static_cast<int>(i)] * (positions[i] - middle);
  return out;
}

vec3 combinePlainly(std::span<const vec3> positions, const vec3& weights) {
  vec3 out(0.0f);
  for (std::size_t i = 0; i < positions.size(); ++i)
    out += weights[static_cast<int>(i)] * positions[i];
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
