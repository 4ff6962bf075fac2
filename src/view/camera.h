// Orbit camera: looks at a target from a distance, by yaw and pitch, in perspective or by parallel
// rays.
#pragma once

#include "core/bounds.h"
#include "core/transform.h"

namespace sinew {

enum class Projection { perspective, orthographic };

struct Camera {
  vec3 target{0.0f};
  float yaw = 0.5f;      // radians about +Y; 0 looks from +Z
  float pitch = 0.2f;    // radians above the horizon, within (-pi/2, pi/2)
  float distance = 3.0f; // from target
  float fovY = 0.6f;     // radians
  Projection projection = Projection::perspective;
};

// The eye of an orthographic camera is where that of a perspective one would show things at the
// target's distance in the same size.
vec3 eyePosition(const Camera& camera);
// Unit; the same for all points with an orthographic camera.
vec3 towardsEye(const Camera& camera, const vec3& point);
// How high the part of the world is that the picture shows at a depth before the eye.
float shownHeight(const Camera& camera, float depth);
mat4 viewFromWorld(const Camera& camera);

// Near and far planes enclose the scene as seen from the camera, for an orthographic camera
// also what is behind its eye.
mat4 clipFromView(const Camera& camera, float aspect, const Bounds& scene);

// A camera with the given angles that looks at the middle of the box, from where the whole outline
// is in view with a small margin.
Camera frameOutline(const Outline& outline, float aspect, float yaw, float pitch,
                    Projection projection = Projection::perspective);

} // namespace sinew
