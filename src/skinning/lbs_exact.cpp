#include "skinning/bone_palette.h"
#include "skinning/exact_normals.h"
#include "skinning/method_entries.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 5> kShaders{
    "common/mirrors.glsl", "common/transform_normal.glsl", "common/influences.glsl",
    "common/surface.glsl", "skinning/lbs_exact.glsl"};

// The influences that linear blending takes.
JointAttachments limitedInfluences(const Rig& rig, std::size_t limit) {
  JointAttachments out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    const auto all = rig.influences.of(v);
    const auto used = all.first(std::min(all.size(), limit));
    float sum = 0.0f;
    for (const Influence& influence : used)
      sum += influence.weight;
    for (const Influence& influence : used)
      out.values.push_back({influence.joint, influence.weight / sum});
    out.endList();
  }
  return out;
}

// Attributes gradient0 and so on, of two influences each: (weight by u, by v, the next by u, by v).
void appendInfluenceGradients(const JointAttachments& used,
                              std::span<const AttachmentGradient> gradients, Binding& binding) {
  for (std::uint32_t i = 0; i < binding.variant.influences; i += 2) {
    Attribute out{"gradient" + std::to_string(i / 2), AttributeFormat::float4, false, {}};
    for (std::size_t v = 0; v < used.count(); ++v) {
      const auto of = gradients.subspan(used.offsets[v], used.of(v).size());
      const vec2 one = i < of.size() ? of[i].weight : vec2(0.0f);
      append(out, vec4(one, i + 1 < of.size() ? of[i + 1].weight : vec2(0.0f)));
    }
    binding.attributes.push_back(std::move(out));
  }
}

Binding bind(const Rig& rig, const BindOptions& options) {
  JointAttachments used = limitedInfluences(rig, options.influences);
  std::vector<AttachmentGradient> gradients = attachmentGradients(
      rig, influenceEdgeRates(rig.influences), options.influences, options.share, used);
  dropIdle(used, gradients);
  Influences influences;
  for (const JointAttachment& each : used.values)
    influences.values.push_back({each.joint, each.weight});
  influences.offsets = used.offsets;
  Binding binding = bindBones(rig, influences, options.influences);
  binding.forms.clear(); // a weight of 0 may grow
  binding.formByVertex.clear();
  binding.variant.normals = NormalMode::exact;
  binding.variant.sharedSurface = options.share != nullptr;
  appendInfluenceGradients(used, gradients, binding);
  return binding;
}

// The part of M(j) that acts on directions.
vec3 transformDirection(const MatrixRows& m, const vec3& v) {
  return {glm::dot(vec3(m.x), v), glm::dot(vec3(m.y), v), glm::dot(vec3(m.z), v)};
}

std::vector<SurfaceMotion> surface(const BindVertices& vertices, const Binding& binding,
                                   const Palette& palette, std::span<const float> shares) {
  std::vector<const Attribute*> gradients;
  for (std::uint32_t i = 0; i < binding.variant.influences; i += 2)
    gradients.push_back(&findAttribute(binding, "gradient" + std::to_string(i / 2)));
  std::vector<SurfaceMotion> out(binding.vertexCount);
  for (std::size_t v = 0; v < out.size(); ++v) {
    const VertexBones bones = readBones(binding, v);
    const MatrixRows blended = blendRows(binding, palette, bones, 0);
    const vec3& place = vertices.positions[v];
    const SurfaceTangents tangents = surfaceTangents(vertices.normals[v]);
    const float share = shares.empty() ? 1.0f : shares[v];
    SurfaceMotion& motion = out[v];
    motion.position = transformPoint(blended, place);
    motion.start = transformPoint(boneMatrix(palette, bones.joints[0]), place);
    motion.u = share * transformDirection(blended, tangents.u);
    motion.v = share * transformDirection(blended, tangents.v);
    motion.mirrors = mirrors(blended);
    for (std::uint32_t i = 0; i < binding.variant.influences; ++i) {
      const vec4 two = readFloat(*gradients[i / 2], v);
      const vec2 growth = i % 2 == 0 ? vec2(two) : vec2(two.z, two.w);
      const vec3 apart = transformPoint(boneMatrix(palette, bones.joints[i]), place) - motion.start;
      motion.u += growth.x * apart;
      motion.v += growth.y * apart;
      motion.growth += growth;
    }
  }
  return out;
}

void skin(const BindVertices& vertices, const Binding& binding, const Palette& palette,
          SkinnedMesh& out) {
  takePositionsAndNormals(surface(vertices, binding, palette, {}), out);
}

Method makeMethod() {
  Method method = lbsMethod();
  method.shaders = kShaders;
  method.bind = bind;
  method.skin = skin;
  method.morph = morphGradients;
  method.surface = surface;
  return method;
}

} // namespace

const Method& exactLbsMethod() {
  static const Method method = makeMethod();
  return method;
}

} // namespace sinew
