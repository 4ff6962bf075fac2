// One batch of a mesh under a program, whichever way its palette is stored: what drawing and
// capturing have in common.
#pragma once

#include "render/gpu_mesh.h"
#include "render/programs.h"

namespace sinew {

// One draw call: characters [firstInstance, firstInstance + instances) of the crowd.
struct DrawCall {
  std::size_t firstInstance = 0;
  int instances = 1;
};

// Draw calls a batch takes: one for all characters where the palette is a texture or storage buffer
// (several where it is too small for the crowd), else one for each of them.
std::size_t drawCallCount(const GpuMesh& mesh);

// Binds vertices and palette of a batch for the index-th of its calls. The program is in use.
DrawCall bindDrawCall(const GpuMesh& mesh, std::size_t batch, const SkinnedProgram& program,
                      std::size_t index);

// Has draw(DrawCall) make every call of a batch.
template <class Draw>
void forEachDraw(const GpuMesh& mesh, std::size_t batch, const SkinnedProgram& program,
                 const Draw& draw) {
  program.program.use();
  const std::size_t calls = drawCallCount(mesh);
  for (std::size_t i = 0; i < calls; ++i)
    draw(bindDrawCall(mesh, batch, program, i));
}

} // namespace sinew
