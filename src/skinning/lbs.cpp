#include "skinning/bone_palette.h"
#include "skinning/method_entries.h"
#include "skinning/tangents.h"

#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 3> kShaders{"common/transform_normal.glsl",
                                                   "common/influences.glsl", "skinning/lbs.glsl"};

constexpr std::array<std::string_view, 3> kTangentShaders{
    "common/mirrors.glsl", "common/tangent.glsl", "skinning/lbs_tangent.glsl"};

Binding bind(const Rig& rig, const BindOptions& options) {
  return bindBones(rig, options.influences, options.formPerCount);
}

// The matrices are blended before the vertex is transformed, once for position and normal; the
// first influence is the heaviest.
MatrixRows blendMatrices(const Binding& binding, const Palette& palette, std::size_t v) {
  return blendRows(binding, palette, readBones(binding, v), 0);
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  out.positions.resize(binding.vertexCount);
  out.normals.resize(binding.vertexCount);
  for (std::size_t v = 0; v < binding.vertexCount; ++v) {
    const MatrixRows m = blendMatrices(binding, palette, v);
    out.positions[v] = transformPoint(m, vertices.positions[v]);
    out.normals[v] = transformNormal(m, vertices.normals[v], palette.nonUniformScale);
  }
}

std::vector<vec4> skinTangents(const BindVertices& vertices, const Binding& binding,
                               const Palette& palette) {
  return transformTangents(vertices, [&](std::size_t v, const vec3& tangent) {
    return transformTangent(blendMatrices(binding, palette, v), tangent);
  });
}

} // namespace

Method lbsMethod() {
  return {.name = "lbs",
          .title = "Linear blend",
          .shortTitle = "Linear",
          .paper = "Vertex blending (Lander 1998; Lewis et al. 2000)",
          .summary = "Weighted mean of the joints' matrices: smooth and cheap, but elbows collapse "
                     "and twisted wrists shrink to a candy wrapper.",
          .formula = "v' = ( sum_i w_i M(j_i) ) v",
          .symbols = "w_i: the vertex's weights. M(j): a joint's motion from the bind "
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
