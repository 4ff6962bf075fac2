// The CPU references of any method by threads: a binding cut into slices of vertices, each a
// binding of its own. For methods without a kernel, and for tangents.
#pragma once

#include "core/workers.h"
#include "skinning/method.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// Vertices with what is bound to them.
struct BindSource {
  std::vector<vec3> positions, normals;
  std::vector<vec4> tangents; // none: the rig has none
  Binding binding;

  BindVertices vertices() const;
};

// Gathers these vertices of the rig, some perhaps several times.
BindSource gatherBind(const BindVertices& vertices, const Binding& binding,
                      std::span<const std::uint32_t> source);

struct ReferenceSlice {
  std::size_t first = 0; // index of its first vertex in the order given
  BindSource bind;
};

// source: as for gatherBind().
std::vector<ReferenceSlice> sliceBinding(const BindVertices& vertices, const Binding& binding,
                                         std::span<const std::uint32_t> source);

} // namespace sinew
