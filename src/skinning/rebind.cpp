#include "skinning/rebind.h"

#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

void restore(const Binding& from, MorphedBinding& to) {
  for (std::size_t a = 0; a < from.attributes.size(); ++a) {
    const std::size_t size = byteSize(from.attributes[a].format);
    for (const std::uint32_t v : to.vertices)
      std::memcpy(to.binding.attributes[a].data.data() + v * size,
                  from.attributes[a].data.data() + v * size, size);
  }
  to.vertices.clear();
}

} // namespace

const Binding& morphBinding(const Method& method, const Rig& rig, const Binding& bound,
                            const MorphedVertices& morphed, std::optional<MorphedBinding>& cached) {
  if (method.morph == nullptr) return bound;
  if (!cached && !morphed.moved()) return bound;
  if (!cached) cached = MorphedBinding{bound, {}, {}};
  if (cached->weights != morphed.weights) {
    restore(bound, *cached);
    method.morph(rig, bound, morphed, cached->binding);
    cached->weights = morphed.weights;
    cached->vertices = morphed.vertices;
  }
  return morphed.moved() ? cached->binding : bound;
}

void skinMorphed(const Method& method, const Rig& rig, const Binding& bound, const Palette& palette,
                 std::span<const float> weights, SkinnedMesh& out) {
  MorphedVertices morphed;
  if (!weights.empty()) applyMorphs(rig, weights, morphed);
  std::optional<MorphedBinding> cached;
  const Binding& binding = morphBinding(method, rig, bound, morphed, cached);
  method.skin(BindVertices(rig, morphed), binding, palette, out);
}

namespace {

std::size_t vertexWithMaxInfluences(const Influences& influences) {
  std::size_t found = 0;
  for (std::size_t v = 0; v < influences.vertexCount(); ++v)
    if (influences.of(v).size() > influences.of(found).size()) found = v;
  return found;
}

// The rig of these vertices alone. What a method finds in all of them together is how many
// influences one has at most, so a vertex with the most is among them.
Rig selectVertices(const Rig& rig, std::span<const std::uint32_t> vertices) {
  Rig part;
  part.joints = rig.joints;
  const auto add = [&](std::size_t v) {
    part.positions.push_back(rig.positions[v]);
    part.normals.push_back(rig.normals[v]);
    if (!rig.tangents.empty()) part.tangents.push_back(rig.tangents[v]);
    if (!rig.dualQuaternionShares.empty())
      part.dualQuaternionShares.push_back(rig.dualQuaternionShares[v]);
    part.influences.append(rig.influences.of(v));
  };
  for (const std::uint32_t v : vertices)
    add(v);
  add(vertexWithMaxInfluences(rig.influences));
  part.texcoords.resize(part.positions.size());
  part.colors.resize(part.positions.size());
  return part;
}

// Whether the constants are the same but for their last number. The larger last number is right for
// both: if it depends on vertices, it is how far they reach from their joint.
bool mergeConstants(std::span<const glm::vec4> part, std::span<glm::vec4> whole) {
  const auto same = [](const glm::vec4& a, const glm::vec4& b) { return vec3(a) == vec3(b); };
  if (!std::ranges::equal(part, whole, same)) return false;
  for (std::size_t i = 0; i < part.size(); ++i)
    whole[i].w = std::max(whole[i].w, part[i].w);
  return true;
}

} // namespace

bool sameLayout(const Binding& a, const Binding& b) {
  const auto same = [](const Attribute& x, const Attribute& y) {
    return x.name == y.name && x.format == y.format && x.palette == y.palette;
  };
  return a.entryCount == b.entryCount && a.rowsPerEntry == b.rowsPerEntry &&
         a.variant == b.variant && a.forms == b.forms &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                    b.attributes.end(), same);
}

bool rebindVertices(const Method& method, const Rig& rig, const BindOptions& options,
                    std::span<const std::uint32_t> vertices, Binding& binding) {
  if (method.usesZones || method.needsAllVertices) return false;
  const Binding part = method.bind(selectVertices(rig, vertices), options);
  if (!sameLayout(part, binding) || !mergeConstants(part.constants, binding.constants))
    return false;
  for (std::size_t a = 0; a < binding.attributes.size(); ++a) {
    const std::size_t size = byteSize(binding.attributes[a].format);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      std::memcpy(binding.attributes[a].data.data() + vertices[i] * size,
                  part.attributes[a].data.data() + i * size, size);
  }
  for (std::size_t i = 0; i < vertices.size() && !binding.formByVertex.empty(); ++i)
    binding.formByVertex[vertices[i]] = part.formByVertex[i];
  return true;
}

} // namespace sinew
