#include "core/transform.h"
#include "rig/bone_axes.h"
#include "skinning/method_entries.h"
#include "skinning/tangents.h"
#include "skinning/two_phase.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> kShaders{"common/transform_normal.glsl",
                                                   "common/influences.glsl", "common/rotate.glsl",
                                                   "skinning/dqs.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/dqs_tangent.glsl"};

// real, dual (x, y, z, w), then three rows of the stretch about the joint's centre.
constexpr std::uint32_t kRows = 5;
constexpr std::uint32_t kStretchRow = 2;
constexpr std::array<std::string_view, kRows> kRowTexts{
    "unit quaternion (x, y, z, w) of M(j)'s rotation: the dual quaternion's real part",
    "its dual part (x, y, z, w): half the translation times the real part",
    kStretchRows[0],
    kStretchRows[1],
    kStretchRows[2],
};

// Behind them with bulge-free=on (BONE_ROW): the joint's bone.
constexpr std::array<std::string_view, 4> kBoneTexts{"start of the bone in bind space", "its end",
                                                     "start of the posed bone", "its end"};

constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};
constexpr std::array<Parameter, 1> kParameters{
    {{"bulge-free", 0, 1, 0,
      "skin that is farther from its posed bones than at rest is brought back to that distance",
      kSwitch}}};

// Constants: every joint's centre; with bulge-free=on then the end of every joint's bone.
void bindBoneEnds(const Rig& rig, Binding& binding) {
  for (const BoneAxis& axis : boneAxes(rig))
    binding.constants.emplace_back(axis.center + axis.length * axis.direction, 0.0f);
  binding.variant.own = {{"BONE_ROW", binding.rowsPerEntry}};
  binding.rowsPerEntry += static_cast<std::uint32_t>(kBoneTexts.size());
  binding.rowTexts.insert(binding.rowTexts.end(), kBoneTexts.begin(), kBoneTexts.end());
}

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding binding = bindBones(rig, options.influences, options.formPerCount);
  binding.parameters = parameterValues(kParameters, options);
  binding.rowsPerEntry = kRows;
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  appendJointCenters(rig, binding);
  if (binding.parameters[0] != 0.0f) bindBoneEnds(rig, binding);
  return binding;
}

bool bulgeFree(const Binding& binding) {
  return binding.rowsPerEntry > kRows;
}

bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  const auto write = [&](std::size_t j, const mat4& modelFromBind, const TwoPhases& phases,
                         std::span<vec4> entry) {
    const DualQuaternion motion = dualQuaternion(phases.rotation, phases.translation);
    entry[0] = asRow(motion.real);
    entry[1] = asRow(motion.dual);
    if (!bulgeFree(binding)) return;
    const std::array ends{vec3(binding.constants[j]),
                          vec3(binding.constants[rig.joints.size() + j])};
    for (std::size_t i = 0; i < ends.size(); ++i) {
      entry[kRows + i] = vec4(ends[i], 0.0f);
      entry[kRows + 2 + i] = vec4(transformPoint(modelFromBind, ends[i]), 0.0f);
    }
  };
  return packTwoPhases(rig, binding, modelFromNode, rows, kStretchRow, write);
}

const vec4* getRows(const Binding& binding, const Palette& palette, std::uint32_t joint) {
  return palette.rows.data() + std::size_t{binding.rowsPerEntry} * joint;
}

// Every motion on the side of the heaviest joint's, for q and -q are one rotation.
DualQuaternion blendMotions(const Binding& binding, const Palette& palette,
                            const VertexBones& bones) {
  const quat pivot = asQuat(getRows(binding, palette, bones.joints[0])[0]);
  DualQuaternion sum{quat(0, 0, 0, 0), quat(0, 0, 0, 0)};
  for (std::size_t i = 0; i < bones.count; ++i) {
    const vec4* rows = getRows(binding, palette, bones.joints[i]);
    const quat real = asQuat(rows[0]);
    const float weight = glm::dot(pivot, real) >= 0.0f ? bones.weights[i] : -bones.weights[i];
    sum.real += weight * real;
    sum.dual += weight * asQuat(rows[1]);
  }
  return normalize(sum);
}

vec3 nearestOnBone(const vec3& p, const vec3& a, const vec3& b) {
  const vec3 along = b - a;
  const float squared = std::max(glm::dot(along, along), 1e-30f);
  return a + std::clamp(glm::dot(p - a, along) / squared, 0.0f, 1.0f) * along;
}

// Kim and Han 2014, with the nearest of all bones that the vertex follows. rest: where stretch puts
// the vertex in bind space.
vec3 withoutBulge(const Binding& binding, const Palette& palette, const VertexBones& bones,
                  const vec3& rest, const MatrixRows* stretch, const vec3& posed) {
  float before = 1e30f;
  float now = 1e30f;
  vec3 nearest = posed;
  for (std::size_t i = 0; i < bones.count; ++i) {
    const vec4* rows = getRows(binding, palette, bones.joints[i]) + kRows;
    vec3 start(rows[0]);
    vec3 end(rows[1]);
    if (stretch != nullptr) {
      start = transformPoint(*stretch, start);
      end = transformPoint(*stretch, end);
    }
    const vec3 off = rest - nearestOnBone(rest, start, end);
    before = std::min(before, glm::dot(off, off));
    const vec3 on = nearestOnBone(posed, vec3(rows[2]), vec3(rows[3]));
    const float squared = glm::dot(posed - on, posed - on);
    if (squared < now) nearest = on;
    now = std::min(now, squared);
  }
  return now > before ? nearest + std::sqrt(before / now) * (posed - nearest) : posed;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    const DualQuaternion motion = blendMotions(binding, palette, bones);
    vec3 position = vertices.positions[v];
    vec3 normal = vertices.normals[v];
    MatrixRows stretch;
    if (palette.nonUniformScale) {
      stretch = blendRows(binding, palette, bones, kStretchRow);
      position = transformPoint(stretch, position);
      normal = transformNormal(stretch, normal, true);
    }
    out.positions[v] = transformPoint(motion, position);
    if (bulgeFree(binding))
      out.positions[v] =
          withoutBulge(binding, palette, bones, position,
                       palette.nonUniformScale ? &stretch : nullptr, out.positions[v]);
    out.normals[v] = motion.real * normal;
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    const VertexBones bones = readBones(binding, v);
    vec4 moved(tangent, 1.0f);
    if (palette.nonUniformScale)
      moved = transformTangent(blendRows(binding, palette, bones, kStretchRow), tangent);
    return vec4(blendMotions(binding, palette, bones).real * vec3(moved), moved.w);
  });
}

} // namespace

Method dqsMethod() {
  return {.name = "dqs",
          .title = "Dual quaternions",
          .shortTitle = "Dual quat.",
          .paper = "Geometric skinning with approximate dual quaternion blending (Kavan et al. "
                   "2008)",
          .summary = "Blends rigid motions instead of matrices: keeps the volume of twisted "
                     "wrists, and bulges a little at bends.",
          .formula = "real = sum_i w_i g_i real_i,    dual = sum_i w_i g_i dual_i\n"
                     "v' = rotate(x) + translation of the normalised sum",
          .symbols = "The joints' motions as dual quaternions, weighted and added; g_i is "
                     "1 or -1, for the shorter way round. The normalised sum is again a "
                     "rigid motion. x: the vertex, stretched first where joints stretch.",
          .parameters = kParameters,
          .shaders = kShaders,
          .entry = PaletteEntry::dualQuaternion,
          .bind = bind,
          .pack = pack,
          .skin = skin,
          .kernel = SkinKernel::dualQuaternions,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents};
}

} // namespace sinew
