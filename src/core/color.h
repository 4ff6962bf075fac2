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
inline float srgbFromLinear(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

} // namespace sinew
