// The weights of a mesh that bone heat and bone glow cannot handle: solved on its voxel proxy
// (voxel_proxy.h), taken over from the proxy's nearest point, and smoothed over the mesh.
#pragma once

#include "weights/surface_weights.h"

namespace sinew {

// Whether the mesh itself does not serve: more than a fifth of its vertices lie on components that
// see no bone, or more than half on open components beside the largest, over whose edges nothing
// diffuses. False where voxels would be too coarse for it too.
bool needsProxy(const WeightSurface& surface, const InitialWeights& initial);

// As initialWeights() and surfaceWeights(). Smoothing is one implicit step of diffusion over the
// mesh, (C + A / t) w = A / t p with sqrt(t) of a quarter of a voxel, which removes what is left
// of the voxels' steps. Requires a surface with triangles. The proxy's size is in the report.
// Throws Error where the triangles are so thinly spread over their box that voxels do not resolve
// them.
SurfaceWeights proxyWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                            const WeightOptions& options,
                            std::span<const std::uint32_t> jointOfBone, WeightReport& report,
                            ProgressMeter& meter);

} // namespace sinew
