// Where a palette lives on the GPU, by the words of --palette.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sinew {

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
