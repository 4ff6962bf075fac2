// GLSL 3.30 as GLSL ES 3.00, for WebGL 2 and OpenGL ES 3: from the one text there is.
//
// What ES has otherwise is few things: precisions have to be stated, and there are no buffer
// textures. What is in one lies row by row in a 2D texture of any width, nearest texels, no
// mipmaps: RGBA32F, or RGBA8I for directions. Loops with their condition at the end are rewritten.
#pragma once

#include "render/shader_text.h"

#include <string>
#include <string_view>

namespace sinew {

// What every ES shader begins with: the version, precisions, and with `fetches` the functions that
// read a texture as a buffer.
std::string es300Head(bool fetches);

// A part of a shader without its #version line.
std::string es300Part(std::string_view text);

// Whether a part reads a texture as a buffer.
bool fetchesTexels(std::string_view part);

// The text of vertexShaderText() in GLSL ES 3.00, with the same inputs, outputs and palette.
std::string es300Text(const Method& method, const Binding& binding,
                      const ShaderTextOptions& options);

} // namespace sinew
