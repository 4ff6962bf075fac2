// Morph targets (blend shapes) applied to the bind pose, before any skinning: v_m = v + sum w_k
// d_k, n_m = normalise(n + sum w_k e_k) over the targets k whose weight w_k is not 0. A vertex that
// none of them moves keeps its bits.
#pragma once

#include "rig/rig.h"

#include <span>
#include <vector>

namespace sinew {

// The rig's vertices as weights have moved them.
struct MorphedVertices {
  std::vector<float> weights;          // one per morph target; none: as all 0
  std::vector<std::uint32_t> vertices; // those that some of these targets move; ascending
  // All vertices of the rig; empty until a weight is not 0.
  std::vector<vec3> positions;
  std::vector<vec3> normals; // unit

  bool moved() const { return !vertices.empty(); }
};

// The vertices that a method skins: the rig's own, or as morph targets have moved them. Holds what
// it was made from no longer than that lives.
struct BindVertices {
  // Implicit: a rig without morph targets is its own.
  BindVertices(const Rig& rig)
      : positions(rig.positions), normals(rig.normals), tangents(rig.tangents) {}
  BindVertices(const Rig& rig, const MorphedVertices& morphed) : BindVertices(rig) {
    if (!morphed.moved()) return;
    positions = morphed.positions;
    normals = morphed.normals;
  }

  std::span<const vec3> positions; // bind space
  std::span<const vec3> normals;   // unit
  std::span<const vec4> tangents;  // Rig::tangents, which morph targets do not move
};

// Brings `out` from whatever weights it has to these. Returns whether anything has changed. `out`
// belongs to the rig, whose vertices stay.
bool applyMorphs(const Rig& rig, std::span<const float> weights, MorphedVertices& out);

} // namespace sinew
