#include "skinning/bone_palette.h"

#include "core/affine.h"
#include "core/bounds.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
float stretchNoise(const mat3& stretch) {
  constexpr float kRounding = 1e-5f;
  const mat3 rest = stretch - mat3(1.0f);
  const float noise = std::sqrt(glm::dot(rest[0], rest[0]) + glm::dot(rest[1], rest[1]) +
                                glm::dot(rest[2], rest[2]));
  return noise <= kRounding ? 0.0f : noise;
}

bool isRigid(float noise, float reach, float size) {
  return noise <= kRigidSlope && noise * reach <= kRigidError * size;
}

float skeletonSize(std::span<const vec4> constants, std::size_t each) {
  Bounds bounds;
  for (std::size_t i = 0; i < constants.size(); i += each)
    bounds.include(vec3(constants[i]));
  return bounds.size();
}

namespace {

// How many influences the forms of skin() blend, for vertices with up to `used` of them.
std::vector<std::uint32_t> influencesOfForms(std::uint32_t used, bool formPerCount) {
  std::vector<std::uint32_t> forms;
  for (const std::uint32_t count : {1u, 2u, 3u, 4u, 8u})
    if (count < used && (formPerCount || count >= 4)) forms.push_back(count);
  forms.push_back(used);
  return forms;
}

} // namespace

Binding bindBones(const Rig& rig, std::uint32_t limit, bool formPerCount) {
  return bindBones(rig, rig.influences, limit, formPerCount);
}

Binding bindBones(const Rig& rig, const Influences& influences, std::uint32_t limit,
                  bool formPerCount) {
  Binding binding;
  binding.vertexCount = static_cast<std::uint32_t>(rig.positions.size());
  binding.entryCount = static_cast<std::uint32_t>(rig.joints.size());
  binding.rowsPerEntry = 3;
  binding.rowTexts.assign(kBoneMatrixRows.begin(), kBoneMatrixRows.end());
  const std::uint32_t used = std::clamp(maxInfluences(influences), 1u, limit);
  binding.variant.influences = used;

  const AttributeFormat jointFormat =
      binding.entryCount <= 256 ? AttributeFormat::uint8x4 : AttributeFormat::uint16x4;
  const std::uint32_t groups = (used + 3) / 4;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::string number = std::to_string(g);
    binding.attributes.push_back({"joints" + number, jointFormat, true, {}});
    binding.attributes.push_back({"weights" + number, AttributeFormat::unorm16x4, false, {}});
  }
  for (Attribute& attribute : binding.attributes)
    attribute.data.reserve(binding.vertexCount * byteSize(attribute.format));
  const std::vector<std::uint32_t> forms = influencesOfForms(used, formPerCount);
  for (const std::uint32_t count : forms)
    if (forms.size() > 1) binding.forms.push_back({2 * ((count + 3) / 4), count});

  std::vector<float> weights;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto all = influences.of(v);
    const auto vertex = all.first(std::min<std::size_t>(all.size(), used));
    weights.assign(vertex.size(), 0.0f);
    float sum = 0.0f;
    for (const Influence& influence : vertex)
      sum += influence.weight;
    for (std::size_t i = 0; i < vertex.size(); ++i)
      weights[i] = vertex[i].weight / sum;
    quantizeWeights(weights);
    std::size_t needed = 1; // up to the last that is not rounded to 0
    for (std::uint32_t g = 0; g < groups; ++g) {
      // Unused places repeat the first joint with weight 0, so that every index is a valid entry.
      glm::uvec4 joints(vertex[0].joint);
      glm::vec4 jointWeights(0.0f);
      for (int i = 0; i < 4; ++i) {
        const std::size_t place = std::size_t{4} * g + static_cast<std::size_t>(i);
        if (place >= vertex.size()) break;
        joints[i] = vertex[place].joint;
        jointWeights[i] = weights[place];
        if (weights[place] > 0.0f) needed = place + 1;
      }
      append(binding.attributes[std::size_t{2} * g], joints);
      append(binding.attributes[std::size_t{2} * g + 1], jointWeights);
    }
    const auto form = std::lower_bound(forms.begin(), forms.end(), needed);
    if (forms.size() > 1)
      binding.formByVertex.push_back(static_cast<std::uint8_t>(form - forms.begin()));
  }
  return binding;
}

VertexBones readBones(const Binding& binding, std::size_t vertex) {
  VertexBones out;
  std::size_t first = 0;
  while (!binding.attributes[first].palette)
    ++first;
  const std::size_t groups = (binding.variant.influences + 3) / 4;
  for (std::size_t g = 0; g < groups; ++g) {
    const glm::uvec4 joints = readUint(binding.attributes[first + 2 * g], vertex);
    const vec4 weights = readFloat(binding.attributes[first + 2 * g + 1], vertex);
    for (int i = 0; i < 4; ++i, ++out.count) {
      out.joints[out.count] = joints[i];
      out.weights[out.count] = weights[i];
    }
  }
  return out;
}

namespace {

// Whether the columns of three rows are of equal length and at right angles, up to kRigidSlope: a
// rotation times one scale, perhaps mirrored.
bool columnsScaleUniformly(const FourFloats& x, const FourFloats& y, const FourFloats& z) {
  const auto next = [](const FourFloats& row) {
    return __builtin_shufflevector(row, row, 1, 2, 0, 3);
  };
  const FourFloats squares = x * x + y * y + z * z;
  const FourFloats products = x * next(x) + y * next(y) + z * next(z);
  const float tolerance = 2.0f * kRigidSlope * std::max({squares[0], squares[1], squares[2]});
  return std::abs(squares[0] - squares[1]) <= tolerance &&
         std::abs(squares[1] - squares[2]) <= tolerance && std::abs(products[0]) <= tolerance &&
         std::abs(products[1]) <= tolerance && std::abs(products[2]) <= tolerance;
}

} // namespace

bool packBoneMatrices(const Rig& rig, const Binding& /*binding*/,
                      std::span<const mat4> modelFromNode, std::span<vec4> rows) {
  bool nonUniformScale = false;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const RigJoint& joint = rig.joints[j];
    const mat4 m = affineProduct(modelFromNode[joint.node], joint.jointFromBind);
    const FourFloats a = loadFour(m[0]), b = loadFour(m[1]), c = loadFour(m[2]), d = loadFour(m[3]);
    const FourFloats lowAc = __builtin_shufflevector(a, c, 0, 4, 1, 5);
    const FourFloats lowBd = __builtin_shufflevector(b, d, 0, 4, 1, 5);
    const FourFloats highAc = __builtin_shufflevector(a, c, 2, 6, 3, 7);
    const FourFloats highBd = __builtin_shufflevector(b, d, 2, 6, 3, 7);
    const FourFloats x = __builtin_shufflevector(lowAc, lowBd, 0, 4, 1, 5);
    const FourFloats y = __builtin_shufflevector(lowAc, lowBd, 2, 6, 3, 7);
    const FourFloats z = __builtin_shufflevector(highAc, highBd, 0, 4, 1, 5);
    storeFour(x, rows[3 * j]);
    storeFour(y, rows[3 * j + 1]);
    storeFour(z, rows[3 * j + 2]);
    nonUniformScale = nonUniformScale || !columnsScaleUniformly(x, y, z);
  }
  return nonUniformScale;
}

MatrixRows boneMatrix(const Palette& palette, std::uint32_t entry) {
  const vec4* rows = palette.rows.data() + 3 * static_cast<std::size_t>(entry);
  return {rows[0], rows[1], rows[2]};
}

MatrixRows blendRows(const Binding& binding, const Palette& palette, const VertexBones& bones,
                     std::uint32_t first) {
  MatrixRows sum;
  for (std::size_t i = 0; i < bones.count; ++i) {
    const vec4* rows =
        palette.rows.data() + std::size_t{binding.rowsPerEntry} * bones.joints[i] + first;
    sum.x += bones.weights[i] * rows[0];
    sum.y += bones.weights[i] * rows[1];
    sum.z += bones.weights[i] * rows[2];
  }
  return sum;
}

vec3 transformPoint(const MatrixRows& m, const vec3& p) {
  const vec4 point(p, 1.0f);
  return {glm::dot(m.x, point), glm::dot(m.y, point), glm::dot(m.z, point)};
}

bool mirrors(const MatrixRows& m) {
  const vec3 x(m.x), y(m.y), z(m.z);
  const float determinant = glm::dot(x, glm::cross(y, z));
  return determinant < 0.0f &&
         determinant * determinant > 1e-12f * glm::dot(x, x) * glm::dot(y, y) * glm::dot(z, z);
}

vec4 transformTangent(const MatrixRows& m, const vec3& tangent) {
  const vec3 moved(glm::dot(vec3(m.x), tangent), glm::dot(vec3(m.y), tangent),
                   glm::dot(vec3(m.z), tangent));
  const float squared = glm::dot(moved, moved);
  return {squared > 1e-30f ? moved / std::sqrt(squared) : vec3(0.0f), mirrors(m) ? -1.0f : 1.0f};
}

vec3 transformNormal(const MatrixRows& m, const vec3& normal, bool nonUniformScale) {
  vec3 x(m.x), y(m.y), z(m.z);
  float least = 1e-30f;
  if (nonUniformScale) {
    // Inverse transpose = cofactors / determinant; only the determinant's sign matters here. The
    // sign is meaningless if the matrix is singular up to rounding: then the cofactors are used
    // unchanged, and the resulting normal is zero unless it is above rounding.
    const float xx = glm::dot(x, x);
    const float yy = glm::dot(y, y);
    const float zz = glm::dot(z, z);
    const vec3 yz = glm::cross(y, z);
    const vec3 zx = glm::cross(z, x);
    const vec3 xy = glm::cross(x, y);
    const float determinant = glm::dot(x, yz);
    const bool reflects = determinant < 0.0f && determinant * determinant > 1e-12f * xx * yy * zz;
    const float sign = reflects ? -1.0f : 1.0f;
    x = sign * yz;
    y = sign * zx;
    z = sign * xy;
    least = std::max(least, 1e-12f * (xx * yy + yy * zz + zz * xx));
  }
  const vec3 out(glm::dot(x, normal), glm::dot(y, normal), glm::dot(z, normal));
  const float squared = glm::dot(out, out);
  return squared > least ? out / std::sqrt(squared) : vec3(0.0f);
}

} // namespace sinew
