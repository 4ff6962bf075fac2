// Binding again after the weights of a few vertices have changed: their part of the attributes
// alone. What painting does between two frames.
#pragma once

#include "skinning/method.h"

#include <cstdint>
#include <span>

namespace sinew {

// Brings `binding`, made by method.bind() from the rig as it was, up to date with the influences of
// `vertices`. The same bytes as a binding of all. False, and binding as it was, where that would
// differ in more than the values of these vertices: in attributes, formats, defines or constants.
// So it is too with methods of joints, whose zones and axes are fitted to the weights of all.
bool rebindVertices(const Method& method, const Rig& rig, const BindOptions& options,
                    std::span<const std::uint32_t> vertices, Binding& binding);

// Whether two bindings differ in the values of vertices alone: the same shader and vertex layout.
bool sameLayout(const Binding& a, const Binding& b);

} // namespace sinew
