// Transform feedback: vertex shader outputs written into buffers instead of drawn.
#pragma once

#include "gl/buffer.h"

#include <span>
#include <vector>

namespace sinew {

// Draws `count` vertices from `first` of the bound vertex array as points, nothing rasterised, with
// the program in use, `instances` times; returns one buffer per captured output, of vec3 each.
// Works without any surface: it binds a small framebuffer of its own while it draws, for a
// surfaceless context refuses even that otherwise.
std::vector<Buffer> capturePoints(int first, int count, int instances, std::size_t outputs);

} // namespace sinew
