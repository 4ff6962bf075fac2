#include "render/programs.h"

#include <fmt/format.h>

namespace sinew {
namespace {

std::vector<ShaderSource> sources(std::initializer_list<std::string_view> paths) {
  std::vector<ShaderSource> out;
  for (const std::string_view path : paths)
    out.push_back(findShaderSource(path));
  return out;
}

} // namespace

// The order of parts, for every program there is. Later parts use what earlier ones declare.
std::vector<Stage> makeStages(const ProgramKey& key) {
  const Stage vertex = vertexStage(key);
  const Stage flat{GL_FRAGMENT_SHADER, vertex.defines, sources({"flat.frag"})};
  switch (key.pass) {
  case Pass::surface:
    return {
        vertex,
        {GL_FRAGMENT_SHADER, vertex.defines,
         sources({"common/frame.glsl", "common/color.glsl", "common/physical.glsl", "mesh.frag"})}};
  case Pass::wireframe:
    return {vertex, flat};
  case Pass::normals:
    return {vertex,
            {GL_GEOMETRY_SHADER, vertex.defines, sources({"common/frame.glsl", "normals.geom"})},
            flat};
  case Pass::capture:
  case Pass::captureTangents:
  case Pass::compute:
    return {vertex};
  }
  return {};
}

std::vector<Stage> overlayStages() {
  return {{GL_VERTEX_SHADER, {}, sources({"common/frame.glsl", "overlay.vert"})},
          {GL_FRAGMENT_SHADER, {}, sources({"overlay.frag"})}};
}

std::vector<Stage> groundStages() {
  return {{GL_VERTEX_SHADER, {}, sources({"common/frame.glsl", "ground.vert"})},
          {GL_FRAGMENT_SHADER,
           {fmt::format("SHADOW_SIDE {}.0", kShadowSide)},
           sources({"ground.frag"})}};
}

} // namespace sinew
