// The shader programs: which files make one, and each built once.
#pragma once

#include "gl/program.h"

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace sinew {

// Binding points, the same for every program.
inline constexpr unsigned kFrameBlock = 0;
inline constexpr unsigned kPaletteBlock = 1;
inline constexpr unsigned kPaletteUnit = 0;
inline constexpr unsigned kBaseTextureUnit = 1;

enum class Pass {
  surface,   // mesh.vert, mesh.frag
  wireframe, // mesh.vert, flat.frag
  normals,   // mesh.vert, normals.geom, flat.frag
  capture,   // capture.vert alone
};

// Everything that decides a program's text.
struct ProgramKey {
  Pass pass = Pass::surface;
  std::string skinFile; // lbs: shaders/skinning/lbs.glsl
  std::vector<std::string> defines;

  auto operator<=>(const ProgramKey&) const = default;
};

// Method names have '-', GLSL files '_'.
std::string skinFileOf(std::string_view methodName);

// The vertex shader of a surface, part by part; Pass::capture has another main().
Stage vertexStage(const ProgramKey& key);

class Programs {
 public:
  // Throws graphicsError that names shader file and line.
  const Program& skinned(const ProgramKey& key);
  const Program& overlay();

 private:
  std::map<ProgramKey, Program> skinned_;
  Program overlay_;
};

} // namespace sinew
