// sRGB, in which colours are stored and picked, and linear light, in which they are shaded
// (IEC 61966-2-1).
#pragma once

#include "core/transform.h"

#include <cmath>

namespace sinew {

inline float linearFromSrgb(float s) {
  return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}
inline vec3 linearFromSrgb(const vec3& s) {
  return {linearFromSrgb(s.x), linearFromSrgb(s.y), linearFromSrgb(s.z)};
}

} // namespace sinew
