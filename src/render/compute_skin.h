// Skinning by a compute shader (OpenGL 4.3): skin(), and skinTangent() for normal maps, of every
// vertex once, into a buffer that every pass draws.
//
//   GpuMesh source(..., {.compute = true});   palettes, crowd and morph targets are set on it
//   GpuMesh drawn = makeDrawnMesh(source, rig);
//   skinByCompute(programs, source, drawn);   each frame
#pragma once

#include "render/gpu_mesh.h"
#include "render/programs.h"

namespace sinew {

// The mesh that shows what is computed: triangles and materials of the source.
GpuMesh makeDrawnMesh(const GpuMesh& source, const Rig& rig);

// Skins all characters of `source` with its present palettes and morph targets. Throws
// graphicsError where a shader storage buffer is too small for their vertices.
void skinByCompute(Programs& programs, const GpuMesh& source, GpuMesh& drawn);

} // namespace sinew
