#include "rig/rotation_centers.h"
#include "skinning/method_entries.h"
#include "skinning/tangents.h"
#include "skinning/two_phase.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> kShaders{"common/transform_normal.glsl",
                                                   "common/influences.glsl", "common/rotate.glsl",
                                                   "skinning/cor.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/cor_tangent.glsl"};

constexpr std::uint32_t kRows = 5;
constexpr std::uint32_t kStretchRow = 2;
constexpr std::array<std::string_view, kRows> kRowTexts{
    "unit quaternion (x, y, z, w) of M(j)'s rotation",
    "its translation: M(j) x = rotation (stretch x) + translation",
    kStretchRows[0],
    kStretchRows[1],
    kStretchRows[2],
};

// With the weights that the binding holds, so that centres belong to the motion as it is drawn.
Influences boundInfluences(const Binding& binding) {
  Influences out;
  std::vector<Influence> vertex;
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    vertex.clear();
    for (std::size_t i = 0; i < bones.count; ++i)
      if (bones.weights[i] > 0.0f) vertex.push_back({bones.joints[i], bones.weights[i]});
    out.append(vertex);
  }
  return out;
}

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding binding = bindBones(rig, options.influences, options.formPerCount);
  binding.rowsPerEntry = kRows;
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  appendJointCenters(rig, binding);
  Attribute centers{"rotationCenter", AttributeFormat::float3, false, {}};
  for (const vec3& center : rotationCenters(rig, boundInfluences(binding)))
    append(centers, vec4(center, 0.0f));
  // First, for every form reads it.
  binding.attributes.insert(binding.attributes.begin(), std::move(centers));
  for (BindingForm& form : binding.forms)
    ++form.attributes;
  return binding;
}

bool pack(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
          std::span<vec4> rows) {
  const auto write = [](std::size_t, const mat4&, const TwoPhases& phases, std::span<vec4> entry) {
    entry[0] = asRow(phases.rotation);
    entry[1] = vec4(phases.translation, 0.0f);
  };
  return packTwoPhases(rig, binding, modelFromNode, rows, kStretchRow, write);
}

// The vertex' rotation, and where linear blending of the joints' rigid motions puts its centre.
struct CenterMotion {
  quat rotation{0.0f, 0.0f, 0.0f, 0.0f};
  vec3 moved{0.0f};
};

// Every rotation on the side of the heaviest joint's, for q and -q are one.
CenterMotion moveCenter(const Palette& palette, const VertexBones& bones, const vec3& center) {
  const auto getRows = [&](std::size_t i) {
    return palette.rows.data() + std::size_t{kRows} * bones.joints[i];
  };
  const quat pivot = asQuat(getRows(0)[0]);
  CenterMotion out;
  for (std::size_t i = 0; i < bones.count; ++i) {
    const quat rotation = asQuat(getRows(i)[0]);
    const float weight = bones.weights[i];
    out.rotation += (glm::dot(pivot, rotation) >= 0.0f ? weight : -weight) * rotation;
    out.moved += weight * (rotation * center + vec3(getRows(i)[1]));
  }
  out.rotation = glm::normalize(out.rotation);
  return out;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  const Attribute& centers = findAttribute(binding, "rotationCenter");
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const VertexBones bones = readBones(binding, v);
    vec3 center(readFloat(centers, v));
    vec3 position = vertices.positions[v];
    vec3 normal = vertices.normals[v];
    if (palette.nonUniformScale) {
      const MatrixRows stretch = blendRows(binding, palette, bones, kStretchRow);
      center = transformPoint(stretch, center);
      position = transformPoint(stretch, position);
      normal = transformNormal(stretch, normal, true);
    }
    const CenterMotion motion = moveCenter(palette, bones, center);
    out.positions[v] = motion.moved + motion.rotation * (position - center);
    out.normals[v] = motion.rotation * normal;
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    const VertexBones bones = readBones(binding, v);
    vec4 moved(tangent, 1.0f);
    if (palette.nonUniformScale)
      moved = transformTangent(blendRows(binding, palette, bones, kStretchRow), tangent);
    return vec4(moveCenter(palette, bones, vec3(0.0f)).rotation * vec3(moved), moved.w);
  });
}

} // namespace

Method corMethod() {
  return {.name = "cor",
          .title = "Centres of rotation",
          .shortTitle = "Centres",
          .paper = "Real-time skeletal skinning with optimized centers of rotation (Le and Hodgins "
                   "2016)",
          .summary = "Each vertex rotates about a centre of its own: neither the collapse of "
                     "linear blending nor the bulge of dual quaternions.",
          .formula = "q = normalise( sum_j g_j w_j q_j )\n"
                     "v' = R(q) (v - p*) + sum_j w_j M(j) p*",
          .symbols = "q_j: the joints' rotations. p*: the vertex's own centre of rotation, "
                     "found once from the weights of the whole surface.",
          .parameters = {},
          .shaders = kShaders,
          .needsAllVertices = true,
          .bind = bind,
          .pack = pack,
          .skin = skin,
          .kernel = SkinKernel::centers,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents};
}

} // namespace sinew
