#include "import/axes.h"

namespace sinew {
namespace {

// Z up, Y into the screen: to Y up, Z out of it.
mat4 yUpFromZUp() {
  return {vec4(1, 0, 0, 0), vec4(0, 0, -1, 0), vec4(0, 1, 0, 0), vec4(0, 0, 0, 1)};
}

} // namespace

mat4 modelFromFile(SourceKind kind) {
  return kind == SourceKind::smd ? yUpFromZUp() : mat4(1.0f);
}

} // namespace sinew
