// One batch of a mesh under the program in use, whichever way its palette is stored: what drawing
// and capturing have in common.
#pragma once

#include "render/gpu_mesh.h"
#include "render/programs.h"
#include "render/vertex_layout.h"

#include <functional>

namespace sinew {

// The defines that storage, binding and palette give every vertex shader of this mesh.
std::vector<std::string> meshDefines(const GpuMesh& mesh);

// Binds the batch's palette and vertices for one draw call after another, and has `draw(instances)`
// make each: once for all characters where the palette is a texture, else once for each of them.
// firstInstance is the index of the first character of the call.
void forEachDraw(const GpuMesh& mesh, std::size_t batch, const Program& program,
                 const std::function<void(std::size_t firstInstance, int instances)>& draw);

} // namespace sinew
