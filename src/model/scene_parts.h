// Parts of a scene that sinew neither draws nor changes: files that it writes have them.
#pragma once

#include "core/transform.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sinew {

// Looks along -Z of its own space, Y up.
struct SceneCamera {
  std::string name = {};
  bool isOrthographic = false;
  float fieldOfView = 0.7f;         // perspective cameras only: vertical, radians
  float height = 1.0f;              // orthographic cameras only: what is seen, in the model's unit
  std::optional<float> aspect = {}; // width by height of the picture
  float nearPlane = 0.1f;
  std::optional<float> farPlane = {}; // none: infinitely far
  quat nodeFromCamera{1.0f, 0.0f, 0.0f, 0.0f};
};

enum class LightKind : std::uint8_t { point, spot, directional };

// Shines along -Z of its own space.
struct SceneLight {
  std::string name = {};
  LightKind kind = LightKind::point;
  vec3 color{1.0f}; // linear
  float intensity = 1.0f;
  std::optional<float> range = {}; // how far it reaches, in the model's unit
  // Angles of a spot from its axis, radians: where its light begins to fall off, and where it ends.
  float innerAngle = 0.0f;
  float outerAngle = 0.7853982f;
  quat nodeFromLight{1.0f, 0.0f, 0.0f, 0.0f};
};

} // namespace sinew
