#include "import/axes.h"

#include "import/fbx/fbx_axes.h"

#include <glm/matrix.hpp>

#include <cmath>
#include <cstdlib>

namespace sinew {
namespace {

// Z up, Y into the screen: to Y up, Z out of it.
mat4 yUpFromZUp() {
  return {vec4(1, 0, 0, 0), vec4(0, 0, -1, 0), vec4(0, 1, 0, 0), vec4(0, 0, 0, 1)};
}

int number(const aiMetadata& data, const char* key, int otherwise) {
  std::int32_t value = 0;
  return data.Get(key, value) ? value : otherwise;
}

mat4 fromFbxAxes(const aiMetadata& data) {
  FbxAxes axes;
  axes.axis = {number(data, "CoordAxis", 0), number(data, "UpAxis", 1),
               number(data, "FrontAxis", 2)};
  axes.sign = {number(data, "CoordAxisSign", 1), number(data, "UpAxisSign", 1),
               number(data, "FrontAxisSign", 1)};
  return modelFromFbx(axes);
}

std::optional<float> fbxUnit(const aiMetadata& data) {
  double centimetres = 0.0;
  float single = 0.0f;
  if (!data.Get("UnitScaleFactor", centimetres) && data.Get("UnitScaleFactor", single))
    centimetres = single;
  if (!(centimetres > 0.0) || !std::isfinite(centimetres)) return std::nullopt;
  return static_cast<float>(centimetres * 0.01);
}

} // namespace

SourceSpace sourceSpace(const aiScene& scene, SourceKind kind) {
  SourceSpace space;
  switch (kind) {
  case SourceKind::fbx:
    if (scene.mMetaData != nullptr) {
      space.modelFromFile = fromFbxAxes(*scene.mMetaData);
      space.metersPerUnit = fbxUnit(*scene.mMetaData);
    }
    break;
  case SourceKind::gltf:
  case SourceKind::collada: // Assimp has scaled the root by the file's unit
    space.metersPerUnit = 1.0f;
    break;
  case SourceKind::smd:
    space.modelFromFile = yUpFromZUp();
    break;
  default:
    break;
  }
  return space;
}

} // namespace sinew
