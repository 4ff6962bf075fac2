
#include "skinning/bone_palette.h"
#include "skinning/modified.h"
#include "skinning/tangents.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 2> kShaders{"common/influences.glsl",
                                                   "skinning/velocity.glsl"};
constexpr std::array<std::string_view, 1> kTangentShaders{"skinning/velocity_tangent.glsl"};

constexpr std::array<std::string_view, 3> kRowTexts{
    "D(j): what the velocities of the joint and of those above it add to (p, 1), row 0",
    "D(j), row 1",
    "D(j), row 2",
};

Binding bind(const Rig& rig, const BindOptions& options) {
  Binding binding = bindBones(rig, options.influences);
  binding.rowTexts.assign(kRowTexts.begin(), kRowTexts.end());
  binding.forms.clear();
  binding.formByVertex.clear();
  Attribute strength{kModifierStrength, AttributeFormat::float1, false, {}};
  for (std::size_t v = 0; v < binding.vertexCount; ++v)
    append(strength, vec4(1.0f));
  binding.attributes.push_back(std::move(strength));
  return binding;
}

bool pack(const Rig& /*rig*/, const Binding& /*binding*/, std::span<const mat4> /*modelFromNode*/,
          std::span<vec4> rows) {
  std::fill(rows.begin(), rows.end(), vec4(0.0f));
  return false;
}

// s D of a vertex; whether it moves it at all.
struct Displacement {
  MatrixRows rows;
  bool any = false;
};

Displacement blendDisplacement(const Binding& binding, const Palette& palette,
                               const Attribute& strengths, std::size_t v) {
  const float strength = readFloat(strengths, v).x;
  MatrixRows rows = blendRows(binding, palette, readBones(binding, v), 0);
  for (vec4* row : {&rows.x, &rows.y, &rows.z})
    *row *= strength;
  const vec4 none(0.0f);
  return {rows, rows.x != none || rows.y != none || rows.z != none};
}

// The linear part of the map from p to p'.
MatrixRows addIdentity(const Displacement& d) {
  return {d.rows.x + vec4(1, 0, 0, 0), d.rows.y + vec4(0, 1, 0, 0), d.rows.z + vec4(0, 0, 1, 0)};
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  const Attribute& strengths = findAttribute(binding, kModifierStrength);
  out.positions.assign(vertices.positions.begin(), vertices.positions.end());
  out.normals.assign(vertices.normals.begin(), vertices.normals.end());
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const Displacement d = blendDisplacement(binding, palette, strengths, v);
    if (!d.any) continue;
    out.positions[v] += transformPoint(d.rows, vertices.positions[v]);
    out.normals[v] = transformNormal(addIdentity(d), vertices.normals[v], true);
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  const Attribute& strengths = findAttribute(binding, kModifierStrength);
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    const Displacement d = blendDisplacement(binding, palette, strengths, v);
    return d.any ? transformTangent(addIdentity(d), tangent) : vec4(tangent, 1.0f);
  });
}

// Where the map flattens the surface.
std::vector<bool> unstableNormals(const BindVertices& /*vertices*/, const Binding& binding,
                                  const Palette& palette) {
  constexpr float kFlat = 1e-2f;
  const Attribute& strengths = findAttribute(binding, kModifierStrength);
  std::vector<bool> out(binding.vertexCount, false);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const MatrixRows m = addIdentity(blendDisplacement(binding, palette, strengths, v));
    const vec3 x(m.x), y(m.y), z(m.z);
    out[v] = std::abs(glm::dot(x, glm::cross(y, z))) <
             kFlat * glm::length(x) * glm::length(y) * glm::length(z);
  }
  return out;
}

} // namespace

const Method& velocityModifier() {
  static const Method kVelocity = {
      .name = "velocity",
      .title = "Velocity skinning",
      .shortTitle = "Velocity",
      .paper = "Velocity Skinning for Real-time Stylized Skeletal Animation (Rohmer et al. 2021)",
      .summary = "After any method: skin lags behind the joints that move it and stretches along "
                 "their motion.",
      .parameters = {},
      .shaders = kShaders,
      .bind = bind,
      .pack = pack,
      .skin = skin,
      .tangentShaders = kTangentShaders,
      .skinTangents = skinTangents,
      .unstableNormals = unstableNormals};
  return kVelocity;
}

} // namespace sinew
