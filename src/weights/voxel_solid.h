// The solid that an arbitrary surface bounds, as voxels: for meshes with holes, inner components,
// self-intersections or flipped triangles, whose own inside is not defined.
//
// Outside is what a flood from the border of the grid reaches (six neighbours). It does not enter
// voxels whose centers are within half a voxel of the surface, which no flood can pass, nor those
// that lie inside by the count of the triangles on a line from them, in the six directions of the
// axes: four of the counts are odd, or five are not zero (parity count and ray stabbing: Nooruddin
// and Turk, Simplification and Repair of Polygonal Models Using Volumetric Techniques, 2003). The
// counts close holes; the flood fills what inner components enclose. Windings do not matter. A hole
// through a part that is wider than the part is thick stays one, unless a bone passes it.
#pragma once

#include "core/progress.h"
#include "weights/bone_segment.h"
#include "weights/surface.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct VoxelSolid {
  std::array<std::size_t, 3> counts{}; // numbers of voxels along x, y, z
  vec3 origin{0.0f};                   // the center of the first voxel
  float cell = 1.0f;                   // edge length of a voxel
  std::vector<std::uint8_t> solid;     // 1 or 0, x fastest; 0 in the two outermost layers

  std::size_t index(std::size_t x, std::size_t y, std::size_t z) const {
    return x + counts[0] * (y + counts[1] * z);
  }
  vec3 center(std::size_t x, std::size_t y, std::size_t z) const {
    return origin +
           cell * vec3(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
  }
};

// The edge length at which the surface crosses about `faces` voxels, larger where the grid would
// have more than `maxVoxels`. Requires at least one triangle.
float voxelSize(const WeightSurface& surface, std::size_t faces, std::size_t maxVoxels);

// Requires at least one triangle; cell > 0. bones: see above. meter: of a stage of
// voxelSolidPieces() pieces or more.
VoxelSolid voxelSolid(const WeightSurface& surface, float cell,
                      std::span<const BoneSegment> bones = {}, ProgressMeter* meter = nullptr);
std::size_t voxelSolidPieces(const WeightSurface& surface);

} // namespace sinew
