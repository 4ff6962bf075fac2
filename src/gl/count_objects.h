// How many objects the current context has: of buffers, textures, vertex arrays, framebuffers,
// renderbuffers, shaders, programs and queries, whoever made them.
#pragma once

#include <cstddef>

namespace sinew {

// Looks at all names below a limit: drivers give out the lowest that are free. No program is in use
// afterwards: one that is deleted while it is would still be there.
std::size_t countGlObjects();

} // namespace sinew
