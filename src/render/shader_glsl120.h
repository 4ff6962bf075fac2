// A method's vertex shader in GLSL 1.20, for the class of the GeForce 7800: no integers among the
// attributes, neither uniform blocks nor buffer textures, 256 vec4 constants.
#pragma once

#include "render/shader_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The text of vertexShaderText() in GLSL 1.20, with the same inputs, outputs and palette: unsigned
// integers become floats, which hold them exactly; inputs become attributes, outputs varyings, and
// the members of a uniform block uniforms. The palette is an array `uniform vec4 palette[]` of at
// most kUniformArrayRows, whatever options.storage says. Throws usageError that says how many
// entries fit where the binding, or options.entries, has more.
std::string glsl120Text(const Method& method, const Binding& binding,
                        const ShaderTextOptions& options);

// The same for a palette that is too large for the constants: a shader for the largest of the
// batches by which the mesh is to be drawn (entryBatches()), which its head lists. An engine gives
// each batch the rows of its entries in that order, and vertices whose indices count among them.
struct BatchedShader {
  std::string text;
  std::vector<std::vector<std::uint32_t>> batches; // none: the mesh is drawn at once
};
BatchedShader batchedGlsl120(const Rig& rig, const Method& method, const Binding& binding,
                             const ShaderTextOptions& options);

// GLSL 3.30 of a whole vertex shader without directives but #version and #define, as GLSL 1.20.
std::string glsl120From330(std::string_view text);

} // namespace sinew
