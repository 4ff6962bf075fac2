// A method's binding after vertices have changed: moved by morph targets, or with new weights.
#pragma once

#include "skinning/method.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sinew {

// The copy of a binding that Method::morph has changed, cached from one pose to the next.
struct MorphedBinding {
  Binding binding;
  std::vector<float> weights;          // one per morph target
  std::vector<std::uint32_t> vertices; // those that the targets move
};

// The binding for these vertices: `bound` itself where nothing of it depends on them. `cached`
// belongs to `bound`, and nothing is done where it has the weights already.
const Binding& morphBinding(const Method& method, const Rig& rig, const Binding& bound,
                            const MorphedVertices& morphed, std::optional<MorphedBinding>& cached);

// Method::skin() of the rig with morph targets at these weights, one per target (none: all 0).
void skinMorphed(const Method& method, const Rig& rig, const Binding& bound, const Palette& palette,
                 std::span<const float> weights, SkinnedMesh& out);

// After the weights of a few vertices have changed, as weight painting does between frames: only
// their values in the attributes are computed again. Updates `binding`, made by method.bind()
// before the influences of `vertices` changed. The result is byte-identical to a new binding.
// Returns false and leaves `binding` unchanged if the new binding would differ in more than the
// values of these vertices: in attributes, formats, variant or constants. Also false for methods
// that use the surface, or zones, which are fitted to the weights of all vertices.
bool rebindVertices(const Method& method, const Rig& rig, const BindOptions& options,
                    std::span<const std::uint32_t> vertices, Binding& binding);

// Whether two bindings differ in the values of vertices alone: the same shader and vertex layout.
bool sameLayout(const Binding& a, const Binding& b);

} // namespace sinew
