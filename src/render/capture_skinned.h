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

// Transform feedback: vertex shader outputs written into buffers instead of drawn. Draws `count`
// vertices from `first` of the bound vertex array as points, nothing rasterised, with the program
// in use, `instances` times; returns one buffer per captured output, of vec3 each. Works without
// any surface: it binds a small framebuffer of its own while it draws, for a surfaceless context
// refuses even that otherwise.
std::vector<Buffer> capturePoints(int first, int count, int instances, std::size_t outputs);

} // namespace sinew
