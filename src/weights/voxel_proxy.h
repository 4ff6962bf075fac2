// A closed mesh in the place of an arbitrary one: the boundary of its solid voxels
// (voxel_solid.h), on which bone heat and bone glow can be solved.
#pragma once

#include "weights/visibility.h"
#include "weights/voxel_solid.h"

#include <vector>

namespace sinew {

struct VoxelProxy {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles; // wound outwards
};

// A surface net of the solid (Gibson, Constrained Elastic Surface Nets, 1998): one vertex in every
// group of eight voxels that are not all alike, smoothed and then moved to the nearest point of the
// surface that the solid was made of, except where it covers a hole. `rays`: of that surface.
// meter: of a stage with kVoxelProxyPieces pieces left or more.
VoxelProxy voxelProxy(const VoxelSolid& solid, const SurfaceRays& rays,
                      ProgressMeter* meter = nullptr);
inline constexpr std::size_t kVoxelProxyPieces = 4;

} // namespace sinew
