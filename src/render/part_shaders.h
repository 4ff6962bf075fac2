// The GLSL of a method that is a mixture of others (Binding::parts): theirs, side by side in one
// shader. Names that would meet get the number of the part: skin() of the first is skin_0().
#pragma once

#include "skinning/binding.h"

#include <string>
#include <vector>

namespace sinew {

struct ShaderText {
  std::string path; // below shaders/, for the compiler's messages
  std::string text;

  bool operator==(const ShaderText&) const = default;
};

// In the order in which they are joined; nothing where the binding has no parts. Choices are made
// and values put in, for #defines would be those of all parts.
// tangents: with what defines skinTangent().
std::vector<ShaderText> partShaders(const Binding& binding, bool tangents = false);

} // namespace sinew
