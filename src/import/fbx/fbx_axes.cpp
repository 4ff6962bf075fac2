#include "import/fbx/fbx_axes.h"

#include <glm/matrix.hpp>

#include <cmath>

namespace sinew {

mat4 modelFromFbx(const FbxAxes& axes) {
  mat4 modelFromFile(0.0f);
  modelFromFile[3][3] = 1.0f;
  for (std::size_t row = 0; row < 3; ++row) {
    if (axes.axis[row] < 0 || axes.axis[row] > 2) return mat4(1.0f);
    modelFromFile[axes.axis[row]][static_cast<int>(row)] = axes.sign[row] < 0 ? -1.0f : 1.0f;
  }
  // Two equal axes: not a coordinate system.
  return std::abs(glm::determinant(modelFromFile)) > 0.5f ? modelFromFile : mat4(1.0f);
}

} // namespace sinew
