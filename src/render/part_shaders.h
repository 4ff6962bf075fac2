// The GLSL of a method that is a mixture of others (Binding::parts): that of all parts in one
// shader. Names that would clash get the number of the part: skin() of the first is skin_0().
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

// The texts in the order in which they are joined; none where the binding has no parts. Choices are
// made and values are put in, because #defines would apply to all parts.
// tangents: includes what defines skinTangent().
std::vector<ShaderText> partShaders(const Binding& binding, bool tangents = false);

} // namespace sinew
