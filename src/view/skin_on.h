// What skins the vertices that are drawn, by the words of --skin-on.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sinew {

enum class SkinOn {
  vertexShader,
  cpu,       // cpu_skin/cpu_skin.h, into a mapped buffer
  compute,   // a compute shader of the same GLSL, into a buffer; OpenGL 4.3
  automatic, // whichever is fastest on this driver, measured once for each method
};

// vertex-shader, cpu, compute, auto: in the order of the enumeration.
std::span<const std::string_view> skinOnNames();
std::string_view toString(SkinOn skinOn);

} // namespace sinew
