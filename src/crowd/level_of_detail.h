// Coarser triangles over the same vertices (meshoptimizer's simplification by quadric error):
// weights, bindings and palettes stay.
#pragma once

#include "rig/rig.h"

#include <vector>

namespace sinew {

struct DetailLevel {
  std::vector<Triangle> triangles; // replace the rig's
  std::vector<RigMesh> meshes;     // replace the rig's
  float error = 0.0f;              // how far the surface is from the rig's at rest, model's unit
};

inline constexpr std::size_t kDetailLevels = 3; // levels besides the rig itself

// Finest first, each with about half of the triangles of the one before; fewer levels where a mesh
// cannot be simplified that far.
std::vector<DetailLevel> detailLevels(const Rig& rig);

// The rig with the triangles of a level.
Rig withLevel(const Rig& rig, const DetailLevel& level);

} // namespace sinew
