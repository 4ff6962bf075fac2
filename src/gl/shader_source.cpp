#include "gl/shader_source.h"

#include "core/error.h"

#include <deque>
#include <string>

namespace sinew {

namespace {

std::deque<ShaderSource>& addedSources() {
  static std::deque<ShaderSource> sources;
  return sources;
}

} // namespace

ScopedShaderSource::ScopedShaderSource(const ShaderSource& source) {
  addedSources().push_back(source);
}

ScopedShaderSource::~ScopedShaderSource() {
  addedSources().pop_back();
}

const ShaderSource& findShaderSource(std::string_view path) {
  for (const ShaderSource& source : shaderSources())
    if (source.path == path) return source;
  for (const ShaderSource& source : addedSources())
    if (source.path == path) return source;
  throw graphicsError("there is no shader shaders/" + std::string(path));
}

} // namespace sinew
