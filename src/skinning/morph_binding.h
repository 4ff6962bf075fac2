// A method's binding where morph targets have moved vertices, and a mesh skinned with them.
#pragma once

#include "skinning/method.h"

#include <optional>

namespace sinew {

// The copy of a binding that Method::morph has changed, cached from one pose to the next.
struct MorphedBinding {
  Binding binding;
  std::vector<float> weights;          // of the morph targets
  std::vector<std::uint32_t> vertices; // that they move
};

// The binding for these vertices: `bound` itself where nothing of it depends on them. `cached`
// belongs to `bound`, and nothing is done where it has the weights already.
const Binding& morphBinding(const Method& method, const Rig& rig, const Binding& bound,
                            const MorphedVertices& morphed, std::optional<MorphedBinding>& cached);

// Method::skin() of the rig with morph targets at these weights, one per target (none: all 0).
void skinMorphed(const Method& method, const Rig& rig, const Binding& bound, const Palette& palette,
                 std::span<const float> weights, SkinnedMesh& out);

} // namespace sinew
