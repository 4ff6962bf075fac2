#include "skinning/dqs.h"

#include "core/dual_quaternion.h"
#include "core/polar.h"
#include "skinning/bone_palette.h"
#include "skinning/tangents.h"

#include <glm/geometric.hpp>

#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 3> kShaders{"common/transform_normal.glsl",
                                                   "common/influences.glsl", "skinning/dqs.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/dqs_tangent.glsl"};

// real, dual (x, y, z, w), then three rows of the stretch about the joint's centre.
constexpr std::uint32_t kRows = 5;
constexpr std::array<std::string_view, kRows> kRowTexts{
    "unit quaternion (x, y, z, w) of M(j)'s rotation: the dual quaternion's real part",
    "its dual part (x, y, z, w): half the translation times the real part",
    "stretch of M(j) about the joint's centre, row 0 of 3: read where NON_UNIFORM_SCALE",
    "stretch, row 1",
    "stretch, row 2",
};

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding binding = bindBones(rig, options.influences);
  binding.rowsPerEntry = kRows;
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  // A(j)'s translation: where a stretch holds the skin fixed, so that bind space's origin does not
  // matter.
  for (const RigJoint& joint : rig.joints)
    binding.constants.emplace_back(vec3(glm::inverse(joint.jointFromBind)[3]), 0.0f);
  return binding;
}

vec4 asRow(const quat& q) {
  return {q.x, q.y, q.z, q.w};
}

quat asQuat(const vec4& row) {
  return {row.w, row.x, row.y, row.z};
}

// M x = rotation (center + stretch (x - center)) + translation.
bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  bool stretches = false;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const RigJoint& joint = rig.joints[j];
    const mat4 modelFromBind = modelFromNode[joint.node] * joint.jointFromBind;
    const vec3 center(binding.constants[j]);
    const RotationStretch parts = polar(mat3(modelFromBind));
    stretches = stretches || parts.stretches;
    const vec3 translation = transformPoint(modelFromBind, center) - parts.rotation * center;
    const DualQuaternion motion = dualQuaternion(parts.rotation, translation);
    const std::span<vec4> entry = rows.subspan(kRows * j, kRows);
    entry[0] = asRow(motion.real);
    entry[1] = asRow(motion.dual);
    const vec3 shift = center - parts.stretch * center;
    for (int r = 0; r < 3; ++r)
      entry[static_cast<std::size_t>(r) + 2] = {parts.stretch[0][r], parts.stretch[1][r],
                                                parts.stretch[2][r], shift[r]};
  }
  return stretches;
}

const vec4* rowsOf(const Palette& palette, std::uint32_t joint) {
  return palette.rows.data() + std::size_t{kRows} * joint;
}

// Every motion on the side of the heaviest joint's, for q and -q are one rotation.
DualQuaternion blendMotions(const Palette& palette, const VertexBones& bones) {
  const quat pivot = asQuat(rowsOf(palette, bones.joints[0])[0]);
  DualQuaternion sum{quat(0, 0, 0, 0), quat(0, 0, 0, 0)};
  for (std::size_t i = 0; i < bones.count; ++i) {
    const vec4* rows = rowsOf(palette, bones.joints[i]);
    const quat real = asQuat(rows[0]);
    const float weight = glm::dot(pivot, real) >= 0.0f ? bones.weights[i] : -bones.weights[i];
    sum.real += weight * real;
    sum.dual += weight * asQuat(rows[1]);
  }
  return normalize(sum);
}

MatrixRows blendStretches(const Palette& palette, const VertexBones& bones) {
  MatrixRows sum;
  for (std::size_t i = 0; i < bones.count; ++i) {
    const vec4* rows = rowsOf(palette, bones.joints[i]);
    sum.x += bones.weights[i] * rows[2];
    sum.y += bones.weights[i] * rows[3];
    sum.z += bones.weights[i] * rows[4];
  }
  return sum;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    const DualQuaternion motion = blendMotions(palette, bones);
    vec3 position = vertices.positions[v];
    vec3 normal = vertices.normals[v];
    if (palette.nonUniformScale) {
      const MatrixRows stretch = blendStretches(palette, bones);
      position = transformPoint(stretch, position);
      normal = transformNormal(stretch, normal, true);
    }
    out.positions[v] = transformPoint(motion, position);
    out.normals[v] = motion.real * normal;
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return tangentsOf(vertices, [&](std::size_t v, const vec3& tangent) {
    const VertexBones bones = readBones(binding, v);
    vec4 moved(tangent, 1.0f);
    if (palette.nonUniformScale) moved = transformTangent(blendStretches(palette, bones), tangent);
    return vec4(blendMotions(palette, bones).real * vec3(moved), moved.w);
  });
}

} // namespace

Method dqsMethod() {
  return {.name = "dqs",
          .title = "Dual quaternions",
          .paper = "Geometric skinning with approximate dual quaternion blending (Kavan et al. "
                   "2008)",
          .summary = "Blends rigid motions instead of matrices: keeps the volume of twisted "
                     "wrists, and bulges a little at bends.",
          .parameters = {},
          .shaders = kShaders,
          .bind = bind,
          .pack = pack,
          .skin = skin,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents};
}

} // namespace sinew
