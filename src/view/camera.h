// Orbit camera: looks at a target from a distance, by yaw and pitch.
#pragma once

#include "core/bounds.h"
#include "core/transform.h"

namespace sinew {

struct Camera {
  vec3 target{0.0f};
  float yaw = 0.5f;      // radians about +Y; 0 looks from +Z
  float pitch = 0.2f;    // radians above the horizon, within (-pi/2, pi/2)
  float distance = 3.0f; // from target
  float fovY = 0.6f;     // radians
};

vec3 eyePosition(const Camera& camera);
mat4 viewFromWorld(const Camera& camera);

// Near and far planes enclose the scene as seen from the camera.
mat4 clipFromView(const Camera& camera, float aspect, const Bounds& scene);

// A camera with the given angles, at the distance where the whole box is in view with a small
// margin.
Camera frameBounds(const Bounds& bounds, float aspect, float yaw, float pitch);

} // namespace sinew
