// Updates a binding after the weights of a few vertices have changed, as weight painting does
// between frames: only their values in the attributes are computed again.
#pragma once

#include "skinning/method.h"

#include <cstdint>
#include <span>

namespace sinew {

// Updates `binding`, made by method.bind() before the influences of `vertices` changed. The result
// is byte-identical to a new binding. Returns false and leaves `binding` unchanged if the new
// binding would differ in more than the values of these vertices: in attributes, formats, variant
// or constants. Also false for methods that use the surface, or zones, which are fitted to the
// weights of all vertices.
bool rebindVertices(const Method& method, const Rig& rig, const BindOptions& options,
                    std::span<const std::uint32_t> vertices, Binding& binding);

// Whether two bindings differ in the values of vertices alone: the same shader and vertex layout.
bool sameLayout(const Binding& a, const Binding& b);

} // namespace sinew
