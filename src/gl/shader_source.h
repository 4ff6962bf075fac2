// The shaders of shaders/**, embedded in the binary at build time so that it can be moved.
#pragma once

#include <span>
#include <string_view>

namespace sinew {

struct ShaderSource {
  std::string_view path; // below shaders/: "skinning/lbs.glsl"
  std::string_view text;
};

std::span<const ShaderSource> shaderSources();

// Throws graphicsError where there is no such file.
const ShaderSource& findShaderSource(std::string_view path);

} // namespace sinew
