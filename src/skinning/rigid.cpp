#include "skinning/bone_palette.h"
#include "skinning/method_entries.h"
#include "skinning/tangents.h"

#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 2> kShaders{"common/transform_normal.glsl",
                                                   "skinning/rigid.glsl"};
constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/rigid_tangent.glsl"};

Binding bind(const Rig& rig, const BindOptions& /*options*/) {
  return bindBones(rig, 1);
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  const Attribute& joints = findAttribute(binding, "joints0");
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const MatrixRows m = boneMatrix(palette, readUint(joints, v).x);
    out.positions[v] = transformPoint(m, vertices.positions[v]);
    out.normals[v] = transformNormal(m, vertices.normals[v], palette.nonUniformScale);
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  const Attribute& joints = findAttribute(binding, "joints0");
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    return transformTangent(boneMatrix(palette, readUint(joints, v).x), tangent);
  });
}

} // namespace

Method rigidMethod() {
  return {.name = "rigid",
          .title = "Rigid",
          .shortTitle = "Rigid",
          .paper = "Basic skeletal animation (Lander 1998)",
          .summary = "Every vertex follows its strongest joint: fastest, and torn at every bend.",
          .formula = "v' = M(j) v",
          .symbols = "j: the joint with the largest weight. M(j): its motion from the bind "
                     "pose.",
          .parameters = {},
          .shaders = kShaders,
          .entry = PaletteEntry::boneMatrix,
          .bind = bind,
          .pack = packBoneMatrices,
          .skin = skin,
          .kernel = SkinKernel::matrices,
          .tangentShaders = kTangentShaders,
          .skinTangents = skinTangents,
          .packLanes = packBoneLanes};
}

} // namespace sinew
