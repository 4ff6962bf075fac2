#include "render/programs.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

std::vector<ShaderSource> sources(std::initializer_list<std::string> paths) {
  std::vector<ShaderSource> out;
  for (const std::string& path : paths)
    out.push_back(findShaderSource(path));
  return out;
}

// The order of parts, for every program there is. Later parts use what earlier ones declare.
std::vector<Stage> stagesOf(const ProgramKey& key) {
  const Stage vertex = vertexStage(key);
  const Stage flat{GL_FRAGMENT_SHADER, key.defines, sources({"flat.frag"})};
  switch (key.pass) {
  case Pass::surface:
    return {vertex,
            {GL_FRAGMENT_SHADER, key.defines,
             sources({"common/frame.glsl", "common/color.glsl", "mesh.frag"})}};
  case Pass::wireframe:
    return {vertex, flat};
  case Pass::normals:
    return {vertex,
            {GL_GEOMETRY_SHADER, key.defines, sources({"common/frame.glsl", "normals.geom"})},
            flat};
  case Pass::capture:
    return {vertex};
  }
  return {};
}

Program build(const std::vector<Stage>& stages, std::span<const char* const> captured) {
  Program program(stages, captured);
  program.bindBlock("Frame", kFrameBlock);
  program.bindBlock("PaletteBlock", kPaletteBlock);
  program.use();
  program.set("baseTexture", static_cast<int>(kBaseTextureUnit));
  return program;
}

} // namespace

std::string skinFileOf(std::string_view methodName) {
  std::string file(methodName);
  std::replace(file.begin(), file.end(), '-', '_');
  return file;
}

Stage vertexStage(const ProgramKey& key) {
  return {
      GL_VERTEX_SHADER, key.defines,
      sources({"common/attributes.glsl", "common/palette.glsl", "common/transform_normal.glsl",
               "common/influences.glsl", "common/quarter_turn.glsl", "common/quarter_angle.glsl",
               "common/attachments.glsl", "common/spline.glsl", "common/spline_normal.glsl",
               "common/spline_follow.glsl", "skinning/" + key.skinFile + ".glsl",
               "common/frame.glsl", key.pass == Pass::capture ? "capture.vert" : "mesh.vert"})};
}

const Program& Programs::skinned(const ProgramKey& key) {
  const auto known = skinned_.find(key);
  if (known != skinned_.end()) return known->second;
  static constexpr std::array kCaptured{"capturedPosition", "capturedNormal"};
  const std::span<const char* const> captured(kCaptured);
  Program program = build(stagesOf(key), key.pass == Pass::capture ? captured : captured.first(0));
  return skinned_.emplace(key, std::move(program)).first->second;
}

const Program& Programs::overlay() {
  if (!overlay_)
    overlay_ = build({{GL_VERTEX_SHADER, {}, sources({"common/frame.glsl", "overlay.vert"})},
                      {GL_FRAGMENT_SHADER, {}, sources({"overlay.frag"})}},
                     {});
  return overlay_;
}

} // namespace sinew
