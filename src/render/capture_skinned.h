// What the GPU's skin() computes, brought back: for tests, and for `export --device gpu`.
#pragma once

#include "render/gpu_mesh.h"
#include "render/programs.h"

#include <vector>

namespace sinew {

// Runs the mesh's vertex shader over every vertex by transform feedback. Positions (model space)
// and normals in the rig's vertex order, whatever the palette storage and however it is split.
// A vertex in several batches comes out the same from each.
SkinnedMesh captureSkinned(Programs& programs, const GpuMesh& mesh);

// The same for every character of a crowd, without its offset.
std::vector<SkinnedMesh> captureCrowd(Programs& programs, const GpuMesh& mesh);

// The tangents that the GPU computes of a mesh that has some: Method::skinTangents.
std::vector<vec4> captureTangents(Programs& programs, const GpuMesh& mesh);

} // namespace sinew
