// Choices of how a mesh is drawn, by the command line's words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sinew {

// --skin-on: what skins the vertices that are drawn.
enum class SkinOn {
  vertexShader,
  cpu,       // cpu_skin/cpu_skin.h, into a mapped buffer
  compute,   // a compute shader of the same GLSL, into a buffer; OpenGL 4.3
  automatic, // whichever is fastest on this driver, measured once for each method
};

// vertex-shader, cpu, compute, auto: in the order of the enumeration.
std::span<const std::string_view> skinOnNames();
std::string_view toString(SkinOn skinOn);

// --palette: where a palette lives on the GPU.
enum class PaletteStorage {
  automatic,     // texture
  uniformArray,  // at most kUniformArrayRows constants; the mesh is split where that is too few
  block,         // a uniform block; split by GL_MAX_UNIFORM_BLOCK_SIZE
  texture,       // a buffer texture read by texelFetch; a crowd in one draw
  storageBuffer, // a shader storage buffer, likewise; OpenGL 4.3
};

// The GeForce 7800 class has 256 vec4 constants; 16 are left to the frame.
inline constexpr std::uint32_t kUniformArrayRows = 240;

// auto, uniform-array, block, texture, storage-buffer: in the order of the enumeration.
std::span<const std::string_view> paletteStorageNames();
std::string_view toString(PaletteStorage storage);
// Whether one palette holds those of a whole crowd, drawn by one call.
bool holdsCrowd(PaletteStorage storage);

} // namespace sinew
