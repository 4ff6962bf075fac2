#include "skinning/morph_binding.h"

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

} // namespace sinew
