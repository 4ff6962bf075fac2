#include "skinning/spline.h"

#include "core/error.h"
#include "skinning/free_spline.h"
#include "skinning/spline_bind.h"
#include "skinning/spline_palette.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace sinew {
namespace {

// Of a vertex on the straight spline of a joint.
SplineVertex vertexOn(const Curve& curve, const JointBinding& joints, const mat3& frame,
                      const JointAttachment& attachment, const vec3& position, const vec3& normal) {
  const BoneAxis& axis = joints.axes[attachment.joint];
  const Zone& zone = joints.zones[attachment.joint];
  const float a = -zone.min;
  const float b = zone.max;
  const vec3 local = (position - axis.center) * frame;
  const float s = local.x + a; // from p1
  float x = 0.0f;
  if (joints.fromZone[attachment.joint])
    x = s <= 0.0f ? 0.0f : s >= a + b ? curve.end : curve.fromDistance(a, b, s);
  else
    x = curve.fromTurn(a, b, attachment.childShare);
  const CurvePoint at = curve.at(x);
  const float left = s - (a * at.along12 + b * at.along23);
  return {x, {left, local.y, local.z}, normal * frame};
}

Binding bindJointSplines(const Curve& curve, const Rig& rig, const BindOptions& options) {
  const JointBinding joints = bindJoints(rig, options);
  const SplineChoices choices = splineChoices(options);
  if (choices.transform && !joints.allFromZone())
    throw usageError("storage=transform finds a vertex's place from its distance along the bone",
                     "add parameter-source=zone, or use storage=coordinates");
  // With the artist's weights x does not grow along the bone: the cheap normals are exact.
  Binding binding =
      startSplines(rig, joints, choices, static_cast<std::uint32_t>(rig.joints.size()),
                   /*exactIsCheap=*/!joints.anyFromZone());
  const bool exact = hasDefine(binding, kExactNormals);
  std::vector<mat3> frames;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const BoneAxis& axis = joints.axes[j];
    frames.push_back(frameAlong(axis.direction));
    appendSpline({axis.center, frames[j], -joints.zones[j].min, joints.zones[j].max,
                  joints.parents[j], joints.used[j], joints.fromZone[j] || !exact},
                 binding);
  }
  if (!choices.transform)
    appendCoordinates(joints, binding, [&](std::size_t v, const JointAttachment& attachment) {
      return vertexOn(curve, joints, frames[attachment.joint], attachment, rig.positions[v],
                      rig.normals[v]);
    });
  return binding;
}

Attribute numbered(const char* name, std::size_t i, AttributeFormat format) {
  return {name + std::to_string(i), format, false, {}};
}

} // namespace

SplineChoices splineChoices(const BindOptions& options) {
  const auto value = [&](std::size_t i) { return parameterValue(kSplineParameters, options, i); };
  return {.together = value(2) != 0.0f,
          .normals = value(3),
          .plainMixing = value(4) != 0.0f,
          .transform = value(5) != 0.0f};
}

Binding startSplines(const Rig& rig, const JointBinding& joints, const SplineChoices& choices,
                     std::uint32_t splines, bool exactIsCheap) {
  Binding binding;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  binding.itemCount = splines;
  binding.rowsPerItem = kSplineRows + (choices.transform ? kTransformRows : 0);
  const auto& texts = rig.splines.empty() ? kSplineRowTexts : kFreeSplineRowTexts;
  binding.rowTexts.assign(texts.begin(), texts.end());
  if (choices.transform)
    binding.rowTexts.insert(binding.rowTexts.end(), kTransformRowTexts.begin(),
                            kTransformRowTexts.end());
  appendAttachments(joints, binding);
  binding.defines.emplace_back("SPLINES");
  if (choices.together && joints.most > 1) binding.defines.emplace_back(kTogether);
  if (choices.plainMixing) binding.defines.emplace_back(kPlainMixing);
  if (choices.transform) binding.defines.emplace_back(kSplineTransform);
  chooseNormals(choices.normals, exactIsCheap, binding);
  return binding;
}

void appendCoordinates(
    const JointBinding& joints, Binding& binding,
    const std::function<SplineVertex(std::size_t, const JointAttachment&)>& vertexOn) {
  for (std::size_t i = 0; i < joints.most; ++i) {
    Attribute places = numbered("spline", i, AttributeFormat::float4);
    Attribute normals = numbered("splineNormal", i, AttributeFormat::float3);
    for (std::size_t v = 0; v < binding.vertexCount; ++v) {
      const SplineVertex vertex = vertexOn(v, paddedAttachments(joints, v)[i]);
      append(places, vec4(vertex.x, vertex.offset));
      append(normals, vec4(vertex.normal, 0.0f));
    }
    binding.attributes.push_back(std::move(places));
    if (binding.normals) binding.attributes.push_back(std::move(normals));
  }
}

mat3 frameAlong(const vec3& direction) {
  const vec3 axis = std::abs(direction.x) < 0.6f ? vec3(1, 0, 0) : vec3(0, 1, 0);
  const vec3 across = glm::normalize(glm::cross(direction, axis));
  return {direction, across, glm::cross(direction, across)};
}

Binding bindSplines(const Curve& curve, const Rig& rig, const BindOptions& options) {
  return rig.splines.empty() ? bindJointSplines(curve, rig, options)
                             : bindFreeSplines(curve, rig, options);
}

bool packSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                 std::span<vec4> rows) {
  return rig.splines.empty() ? packJointSplines(rig, binding, modelFromNode, rows)
                             : packFreeSplines(rig, binding, modelFromNode, rows);
}

} // namespace sinew
