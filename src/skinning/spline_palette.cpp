#include "skinning/spline_palette.h"

#include "core/polar.h"
#include "skinning/bone_palette.h"
#include "skinning/joint_binding.h"
#include "skinning/spline.h"
#include "skinning/twist_ranges.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dvec3;

constexpr std::size_t kConstants = 4; // vec4s of a spline

// The decomposed M(j) of a bone. Angles between bones are wanted far below float's rounding of a
// cosine, so rotations are in double precision.
struct BonePose {
  mat4 modelFromBind{1.0f};
  dmat3 rotation{1.0};
  mat3 stretch{1.0f}; // linear part = rotation * stretch
  float scale = 1.0f;
  bool scalesOnly = true; // stretch is scale times the identity

  mat3 stretchIn(const mat3& frame) const {
    return scalesOnly ? stretch : glm::transpose(frame) * stretch * frame;
  }
};

BonePose makeBonePose(const mat4& modelFromBind) {
  BonePose pose;
  pose.modelFromBind = modelFromBind;
  const float length = glm::length(vec3(modelFromBind[0]));
  pose.scale = length > 0.0f ? length : 1.0f;
  const RotationStretch parts = polar(mat3(modelFromBind) / pose.scale);
  pose.rotation = glm::mat3_cast(glm::normalize(glm::dquat(parts.rotation)));
  pose.stretch = pose.scale * parts.stretch;
  pose.scalesOnly = !parts.stretches;
  return pose;
}

// Normal of the plane the spline bends in, at right angles to both its ends. A straight spline may
// take any; one folded back takes the axis of the rotation that folds it.
dvec3 bendNormal(const dmat3& parent, const dmat3& joint, const dvec3& along, const dvec3& across) {
  const dvec3 start = parent * along;
  const dvec3 end = joint * along;
  const dvec3 normal = glm::cross(start, end);
  const double length = glm::length(normal);
  if (length > 1e-9) return normal / length;
  if (glm::dot(start, end) > 0.0) return parent * across;
  const glm::dquat rotation = glm::quat_cast(joint * glm::transpose(parent));
  const dvec3 axis(rotation.x, rotation.y, rotation.z);
  return glm::normalize(axis - glm::dot(axis, start) * start);
}

// The rotation of a joint against its parent, the shorter way.
quat relativeRotation(const BonePose& parent, const BonePose& joint) {
  const glm::dquat q = glm::quat_cast(glm::transpose(parent.rotation) * joint.rotation);
  return quat(q.w < 0.0 ? -q : q);
}

// A reference direction along B = N x T and along N.
glm::dvec2 inFrame(const dvec3& reference, const dvec3& tangent, const dvec3& normal) {
  return {glm::dot(reference, glm::cross(normal, tangent)), glm::dot(reference, normal)};
}

void writeStretches(const mat3& parent, const mat3& joint, std::span<vec4> entry) {
  entry[5] = {parent[0][0], parent[1][1], parent[2][2], parent[0][1]};
  entry[6] = {joint[0][0], joint[1][1], joint[2][2], joint[0][1]};
  entry[7] = {parent[1][2], parent[0][2], joint[1][2], joint[0][2]};
}

// Writes a spline's rows; returns whether the joint stretches nothing. size: the skeleton's.
bool writeSpline(const BindSpline& spline, const BonePose& parent, const BonePose& joint,
                 float size, std::span<vec4> entry) {
  const dvec3 along(spline.frame[0]);
  const dvec3 reference(spline.frame[1]);
  const dvec3 normal = bendNormal(parent.rotation, joint.rotation, along, dvec3(spline.frame[2]));
  const dvec3 start = parent.rotation * along;
  const dvec3 end = joint.rotation * along;
  const glm::dvec2 roll = inFrame(parent.rotation * reference, start, normal);
  const glm::dvec2 rollAtEnd = inFrame(joint.rotation * reference, end, normal);
  const glm::dvec2 twist(glm::dot(roll, rollAtEnd), roll.x * rollAtEnd.y - roll.y * rollAtEnd.x);

  const mat3 parentStretch = parent.stretchIn(spline.frame);
  const mat3 jointStretch = joint.stretchIn(spline.frame);
  const vec3 held = transformPoint(parent.modelFromBind, spline.center);
  const vec3 moved = transformPoint(joint.modelFromBind, spline.center);
  const vec3 d12 = spline.a * std::abs(parentStretch[0][0]) * vec3(start);
  const vec3 d23 = spline.b * std::abs(jointStretch[0][0]) * vec3(end);
  entry[0] = {held - d12, static_cast<float>(std::atan2(roll.y, roll.x))};
  entry[1] = {d12, static_cast<float>(wrappedAngle(std::atan2(twist.y, twist.x)))};
  entry[2] = {d23, parent.scale};
  entry[3] = {vec3(normal), spline.b};
  const float rounding =
      2e-6f * (glm::length(moved) + glm::length(mat3(parent.modelFromBind) * spline.center));
  const vec3 shift = moved - held;
  entry[4] = {glm::length(shift) <= rounding ? vec3(0.0f) : shift, spline.a};
  writeStretches(parentStretch, jointStretch, entry);

  const float noise = std::max(stretchNoise(parent.stretch / parent.scale),
                               stretchNoise(joint.stretch / parent.scale));
  return isRigid(noise, spline.reach, size);
}

} // namespace

double angleInFrame(const dvec3& reference, const dvec3& tangent, const dvec3& normal) {
  const glm::dvec2 direction = inFrame(reference, tangent, normal);
  return std::atan2(direction.y, direction.x);
}

double wrappedAngle(double angle) {
  if (std::abs(angle) > std::numbers::pi) angle = std::remainder(angle, 2.0 * std::numbers::pi);
  return angle < -std::numbers::pi + 1e-6 ? angle + 2.0 * std::numbers::pi : angle;
}

void writeTransform(const vec3& start, const mat3& frame, std::span<vec4> entry) {
  for (int r = 0; r < 3; ++r)
    entry[kSplineRows + static_cast<std::size_t>(r)] = {frame[r], -glm::dot(frame[r], start)};
}

void appendSpline(const BindSpline& spline, Binding& binding) {
  binding.constants.emplace_back(spline.center, static_cast<float>(spline.parent));
  binding.constants.emplace_back(spline.frame[0], spline.reach);
  binding.constants.emplace_back(spline.frame[1], spline.a);
  binding.constants.emplace_back(spline.frame[2], spline.b);
}

BindSpline readBindSpline(const Binding& binding, std::size_t entry) {
  const vec4* c = binding.constants.data() + kConstants * entry;
  return {vec3(c[0]), mat3(vec3(c[1]), vec3(c[2]), vec3(c[3])), c[2].w,
          c[3].w,     static_cast<std::uint32_t>(c[0].w),       c[1].w};
}

bool packJointSplines(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                      std::span<vec4> rows) {
  static thread_local std::vector<BonePose> poses; // no frame allocates
  poses.clear();
  for (const mat4& matrix : boneMatrices(rig, modelFromNode))
    poses.push_back(makeBonePose(matrix));
  const std::size_t stride = binding.rowsPerEntry;
  // Behind the splines' constants there may be those of twists.
  const auto constants = std::span(binding.constants).first(kConstants * rig.joints.size());
  const std::uint32_t twistsRow = binding.variant.twistRow;
  const float size = skeletonSize(constants, kConstants);
  bool rotatesOnly = true;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const BindSpline spline = readBindSpline(binding, j);
    const std::span<vec4> entry = rows.subspan(stride * j, stride);
    const bool rotates = writeSpline(spline, poses[spline.parent], poses[j], size, entry);
    if (stride - (twistsRow != 0 ? 1 : 0) > kSplineRows)
      writeTransform(spline.center - spline.a * spline.frame[0], spline.frame, entry);
    if (twistsRow != 0)
      entry[twistsRow] = twistRow(binding.constants[kConstants * rig.joints.size() + j],
                                  relativeRotation(poses[spline.parent], poses[j]));
    rotatesOnly = rotatesOnly && (rotates || spline.reach == 0.0f);
  }
  return !rotatesOnly;
}

} // namespace sinew
