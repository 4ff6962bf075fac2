// The shading languages that `sinew shader` writes, and those that it does not.
#pragma once

#include "render/shader_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// For --target: glsl330 first.
std::vector<std::string> shaderTargets();

// The vertex shader of a method in one of shaderTargets(). HLSL and MSL are translated by the
// programs glslangValidator and spirv-cross. Throws usageError for another target that says what to
// do instead, and where these programs are missing or fail.
std::string shaderText(std::string_view target, const Method& method, const Binding& binding,
                       const ShaderTextOptions& options);

// Throws usageError unless it is one of shaderTargets().
void checkShaderTarget(std::string_view target);

} // namespace sinew
