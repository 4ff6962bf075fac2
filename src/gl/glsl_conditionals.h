// The choices of a GLSL text made before it is compiled.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew {

// The text with its #if, #ifdef, #ifndef, #elif, #else and #endif lines resolved for these defines
// ("NAME VALUE" or "NAME"). Conditions are NAME == NUMBER, NAME > NUMBER and defined(NAME), alone;
// throws graphicsError for others.
std::string resolveConditionals(std::string_view text, std::span<const std::string> defines);

} // namespace sinew
