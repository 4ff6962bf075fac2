#include "gl/shader_source.h"

#include "core/error.h"

#include <string>

namespace sinew {

const ShaderSource& findShaderSource(std::string_view path) {
  for (const ShaderSource& source : shaderSources())
    if (source.path == path) return source;
  throw graphicsError("there is no shader shaders/" + std::string(path));
}

} // namespace sinew
