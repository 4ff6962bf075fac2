// Shared by rigid skinning and linear blending: vertices bound to bones by weight, and a palette
// of bone matrices M(j) = F(j) A(j)^-1 as three rows of four floats each.
#pragma once

#include "skinning/method.h"

#include <array>
#include <string_view>

namespace sinew {

inline constexpr std::array<std::string_view, 3> kBoneMatrixRows{
    "M(j) = F(j) A(j)^-1, row 0: x' = dot(row, (v, 1)), v the bind position",
    "M(j), row 1",
    "M(j), row 2",
};

// Attributes joints0 (palette entries), weights0, joints1 and so on, four influences each: the
// `limit` largest of each vertex, renormalised. Variant::influences is never more than the mesh
// needs, and with more than four a vertex has the form of its own number: of fours, or with
// formPerCount of up to four singly.
Binding bindBones(const Rig& rig, std::uint32_t limit, bool formPerCount = false);
Binding bindBones(const Rig& rig, const Influences& influences, std::uint32_t limit,
                  bool formPerCount = false);

// One vertex's influences as these attributes hold them, heaviest first; the last may weigh 0. They
// stand side by side, and no attribute of palette entries stands before them.
struct VertexBones {
  std::array<std::uint32_t, kInfluenceLimit> joints{};
  std::array<float, kInfluenceLimit> weights{};
  std::size_t count = 0;
};
VertexBones readBones(const Binding& binding, std::size_t vertex);

bool packBoneMatrices(const Rig& rig, const Binding& binding, std::span<const mat4> modelFromNode,
                      std::span<vec4> rows);

// Method::packLanes.
bool packBoneLanes(const Rig& rig, const PoseLanes& pose, bool mayScaleUnevenly,
                   std::span<const std::span<vec4>, kLanes> rows);

// Noise in scale, as exporters write it, is handled as a rotation, which costs a vertex half as
// much. What that may cost: how far a vertex may be off, of the size of the skeleton (a sixth of a
// millimetre of a person), and how far a normal, in radians (an eighth of a step of 8-bit shading).
inline constexpr float kRigidError = 1e-4f;
inline constexpr float kRigidSlope = 5e-4f;

// At most by how much of its length a stretch moves the end of a vector; rounding is none.
float stretchNoise(const mat3& stretch);

// Whether skin may be moved rigidly although its joint's stretch has this noise. reach: the largest
// distance of a vertex from where the stretch holds the skin fixed; size: skeletonSize().
bool isRigid(float noise, float reach, float size);

// Length of the diagonal of a box around the centres of joints, the first of `each` constants.
float skeletonSize(std::span<const vec4> constants, std::size_t each);

// Three rows of an affine matrix.
struct MatrixRows {
  vec4 x{0.0f}, y{0.0f}, z{0.0f};
};

MatrixRows boneMatrix(const Palette& palette, std::uint32_t item);

// Three rows of the palette from `first` on, blended by weight.
MatrixRows blendRows(const Binding& binding, const Palette& palette, const VertexBones& bones,
                     std::uint32_t first);

vec3 transformPoint(const MatrixRows& m, const vec3& p);

// Whether the 3x3 part has a negative determinant that is not rounding.
bool mirrors(const MatrixRows& m);

// Unit normal: by the 3x3 part, or with nonUniformScale by its inverse transpose; zero where the
// matrix leaves none.
vec3 transformNormal(const MatrixRows& m, const vec3& normal, bool nonUniformScale);

// As shaders/common/tangent.glsl: unit or zero; w -1 where the matrix mirrors.
vec4 transformTangent(const MatrixRows& m, const vec3& tangent);

} // namespace sinew
