#include "skinning/spline.h"

#include "animation/pose.h"
#include "core/directions.h"
#include "core/error.h"
#include "skinning/exact_normals.h"
#include "skinning/free_spline.h"
#include "skinning/free_spline_pose.h"
#include "skinning/spline_bind.h"
#include "skinning/spline_palette.h"
#include "skinning/twist_ranges.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Lengths of a joint's spline before and behind the joint.
struct Arms {
  float before, behind;
};

constexpr float kLongerArm = 1.25f; // at most, over the shorter one, where weights bend the skin

// With weights the arms differ little, so that a twist follows the weights about as a bend does. On
// a long arm it would follow late.
Arms findArms(const JointBinding& joints, std::size_t joint) {
  const Zone& zone = joints.zones[joint];
  if (joints.fromZone[joint]) return {-zone.min, zone.max};
  const float longest = kLongerArm * std::min(-zone.min, zone.max);
  return {std::min(-zone.min, longest), std::min(zone.max, longest)};
}

// Puts a vertex on the straight spline of a joint.
SplineVertex vertexOn(const Curve& curve, const JointBinding& joints, const mat3& frame,
                      const JointAttachment& attachment, const vec3& position, const vec3& normal) {
  const BoneAxis& axis = joints.axes[attachment.joint];
  const Zone& zone = joints.zones[attachment.joint];
  const auto [a, b] = findArms(joints, attachment.joint);
  const vec3 local = (position - axis.center) * frame;
  const float s = local.x + a; // from p1
  float x = 0.0f;
  if (joints.fromZone[attachment.joint]) {
    // With a curve, the distance at which the part blendFactor of the length is passed.
    const bool linear = zone.curve.kind == BlendCurve::Kind::linear;
    const float distance = linear ? s : attachment.blendFactor * (a + b);
    x = distance <= 0.0f    ? 0.0f
        : distance >= a + b ? curve.end
                            : curve.fromDistance(a, b, distance);
  } else {
    x = curve.fromRotation(a, b, attachment.blendFactor);
  }
  const CurvePoint at = curve.at(x);
  const float left = s - (a * at.along12 + b * at.along23);
  return {x, {left, local.y, local.z}, normal * frame};
}

// The part of the joint's twist that the straight spline has made where an attachment is.
float twistFraction(const Curve& curve, const JointBinding& joints,
                    const JointAttachment& attachment) {
  const auto [a, b] = findArms(joints, attachment.joint);
  const float t = attachment.blendFactor;
  if (!joints.fromZone[attachment.joint]) return curve.at(curve.fromRotation(a, b, t)).fraction;
  if (t <= 0.0f || t >= 1.0f) return t;
  return curve.at(curve.fromDistance(a, b, t * (a + b))).fraction;
}

// Parameters of the gradients: from the blend factor to x. A zone's blend factor is the part of the
// straight spline's length before the vertex, that of weights the part of a slight bend.
void convertGradients(const Curve& curve, JointBinding& joints, std::size_t vertex,
                      const std::function<SplineVertex(const JointAttachment&)>& vertexOn) {
  for (std::uint32_t i = joints.attachments.offsets[vertex];
       i < joints.attachments.offsets[vertex + 1]; ++i) {
    const JointAttachment& attachment = joints.attachments.values[i];
    const auto [a, b] = findArms(joints, attachment.joint);
    const CurvePoint at = curve.at(vertexOn(attachment).x);
    const float pace = a * at.slope12 + b * at.slope23;
    joints.gradients[i].parameter *=
        joints.fromZone[attachment.joint] ? (a + b) / (curve.speed * pace) : pace * pace / (a * b);
  }
}

Binding bindJointSplines(const Curve& curve, const Rig& rig, const BindOptions& options) {
  const SplineChoices choices = splineChoices(options);
  JointBinding joints = bindJoints(rig, options, choices.normals);
  if (choices.transform && !joints.allByDistance())
    throw usageError("storage=transform finds x of a vertex from its distance along the bone",
                     "add parameter-source=zone and leave curves of zones out, or use "
                     "storage=coordinates");
  Binding binding =
      startSplines(rig, joints, choices, static_cast<std::uint32_t>(rig.joints.size()));
  std::vector<mat3> frames;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const BoneAxis& axis = joints.axes[j];
    frames.push_back(frameAlong(axis.direction));
    const auto [a, b] = findArms(joints, j);
    appendSpline({axis.center, frames[j], a, b, joints.parents[j], joints.reaches[j]}, binding);
  }
  // Their rotations are about the spline.
  const TwistRanges twists = twistRanges(
      rig, joints, options, twistDefault(choices.parameters[7]),
      [&](const JointAttachment& each) { return twistFraction(curve, joints, each); }, true);
  appendTwists(twists, joints, binding);
  for (std::size_t j = 0; binding.variant.twistRow != 0 && j < rig.joints.size(); ++j)
    binding.constants.push_back(twistConstant(twists.joints[j]));
  const auto on = [&](std::size_t v, const JointAttachment& attachment) {
    return vertexOn(curve, joints, frames[attachment.joint], attachment, rig.positions[v],
                    rig.normals[v]);
  };
  if (!choices.transform) appendCoordinates(joints, binding, on);
  if (choices.normals != NormalMode::exact) return binding;
  for (std::size_t v = 0; v < rig.positions.size(); ++v)
    convertGradients(curve, joints, v, [&](const JointAttachment& each) { return on(v, each); });
  appendGradients(joints, joints.gradients, binding);
  return binding;
}

} // namespace

Binding bindSplines(const Curve& curve, const Rig& rig, const BindOptions& options) {
  Binding binding = rig.splines.empty() ? bindJointSplines(curve, rig, options)
                                        : bindFreeSplines(curve, rig, options);
  const std::size_t all = binding.attributes.size();
  if (options.tangents) appendAnglesOfTangents(curve, rig, binding);
  if (binding.attributes.size() > all) return binding; // one value for the angles of all splines
  // spline0, splineNormal0 and so on stand last.
  const std::size_t each = binding.variant.splineTransform ? 0
                           : binding.variant.hasNormals()  ? 2
                                                           : 1;
  groupByAttachments(options, all - each * binding.variant.attachments, each, binding);
  return binding;
}

bool packSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                 std::span<vec4> rows) {
  return rig.splines.empty() ? packJointSplines(rig, binding, modelFromNode, rows)
                             : packFreeSplines(rig, binding, modelFromNode, rows);
}

void addSplineRotations(const Rig& rig, const Binding& binding, std::span<const float> twists,
                        std::span<vec4> rows) {
  for (std::size_t i = 0; i < rig.splines.size(); ++i) {
    const auto& joints = rig.splines[i].joints;
    if (joints[0] == joints[2]) continue; // a spline whose vertices follow one joint
    float& twist = rows[binding.rowsPerEntry * i + 1].w;
    const std::uint32_t node = rig.joints[joints[2]].node;
    twist = static_cast<float>(
        nearestAngle(static_cast<double>(twist), static_cast<double>(twists[node])));
  }
}

} // namespace sinew
