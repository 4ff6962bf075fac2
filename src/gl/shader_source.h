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

// Adds a shader for as long as it lives, which path and text outlive: for tests of a
// method that is not in the table. The last one made ends first. Not safe beside other threads.
class ScopedShaderSource {
 public:
  explicit ScopedShaderSource(const ShaderSource& source);
  ~ScopedShaderSource();
  ScopedShaderSource(const ScopedShaderSource&) = delete;
  ScopedShaderSource& operator=(const ScopedShaderSource&) = delete;
};

// An embedded or added shader. Throws graphicsError where there is none of that path.
const ShaderSource& findShaderSource(std::string_view path);

} // namespace sinew
