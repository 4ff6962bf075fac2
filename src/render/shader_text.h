// A method's vertex shader as one self-contained text for other engines: the parts of
// shaders/ joined, choices made, and what this method does not use left out.
#pragma once

#include "skinning/method.h"
#include "view/draw_choices.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct ShaderTextOptions {
  PaletteStorage storage = PaletteStorage::block; // automatic: texture
  std::uint32_t entries = 0; // palette entries in the shader; 0: as many as the binding has
  bool stretches = false;    // Palette::nonUniformScale: joints do more than rotate
  // One program draws many characters, with the palette in a texture. Each instance also has a
  // rotation; uniforms say which row is the first and whether joints stretch.
  bool crowd = false;
};

// #version 330 core, complete with main(): outputs worldPosition, worldNormal, surfaceTexcoord and
// gl_Position. The comment at its head says how to fill every input.
std::string vertexShaderText(const Method& method, const Binding& binding,
                             const ShaderTextOptions& options);

// The same skin() and what it calls, without inputs and main().
std::string skinFunctionText(const Method& method, const Binding& binding,
                             const ShaderTextOptions& options);

// An input of the shader: "joints0", "uvec4", 4, "4 x unsigned byte, integers". Without a location
// it is fetched from a buffer texture (render/further_attributes).
struct ShaderInput {
  std::string name, type;
  std::optional<unsigned> location;
  std::string format;
};
std::vector<ShaderInput> shaderInputs(const Binding& binding);

} // namespace sinew
