#include "view/camera.h"

#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace sinew {
namespace {

// From the target to the eye.
vec3 backward(const Camera& camera) {
  const float level = std::cos(camera.pitch);
  return {level * std::sin(camera.yaw), std::sin(camera.pitch), level * std::cos(camera.yaw)};
}

std::array<vec3, 8> corners(const Bounds& box) {
  std::array<vec3, 8> out;
  for (std::size_t i = 0; i < 8; ++i)
    out[i] = {(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
              (i & 4) != 0 ? box.max.z : box.min.z};
  return out;
}

} // namespace

vec3 eyePosition(const Camera& camera) {
  return camera.target + camera.distance * backward(camera);
}

vec3 towardsEye(const Camera& camera, const vec3& point) {
  if (camera.projection == Projection::orthographic) return backward(camera);
  return glm::normalize(eyePosition(camera) - point);
}

float shownHeight(const Camera& camera, float depth) {
  const bool parallel = camera.projection == Projection::orthographic;
  return 2.0f * std::tan(0.5f * camera.fovY) * (parallel ? camera.distance : depth);
}

mat4 viewFromWorld(const Camera& camera) {
  // Built from the direction, not from eye and target: exact however far away the target is.
  const vec3 z = backward(camera);
  const vec3 x(std::cos(camera.yaw), 0.0f, -std::sin(camera.yaw));
  const vec3 y = glm::cross(z, x);
  const vec3 eye = eyePosition(camera);
  mat4 m(1.0f);
  for (int i = 0; i < 3; ++i) {
    m[i][0] = x[i];
    m[i][1] = y[i];
    m[i][2] = z[i];
  }
  m[3] = {-glm::dot(x, eye), -glm::dot(y, eye), -glm::dot(z, eye), 1.0f};
  return m;
}

mat4 clipFromView(const Camera& camera, float aspect, const Bounds& scene) {
  const bool parallel = camera.projection == Projection::orthographic;
  float nearest = camera.distance * (parallel ? -10.0f : 0.1f);
  float farthest = camera.distance * 10.0f;
  if (!scene.empty()) {
    nearest = std::numeric_limits<float>::max();
    farthest = parallel ? std::numeric_limits<float>::lowest() : 0.0f;
    const mat4 view = viewFromWorld(camera);
    for (const vec3& corner : corners(scene)) {
      const float depth = -transformPoint(view, corner).z;
      nearest = std::min(nearest, depth);
      farthest = std::max(farthest, depth);
    }
    // Room for what moves a little out of its box.
    const float room = 0.1f * scene.size();
    nearest -= room;
    farthest += room;
  }
  if (parallel) {
    const float height = 0.5f * shownHeight(camera, camera.distance);
    farthest = std::max(farthest, nearest + 1e-3f * camera.distance); // a point has no depth
    return glm::orthoRH_NO(-height * aspect, height * aspect, -height, height, nearest, farthest);
  }
  farthest = std::max(farthest, 1e-4f * camera.distance);
  // 24 bits of depth leave enough where near is a thousandth of far, even inside the box.
  nearest = std::max({nearest, farthest * 1e-3f, 1e-6f});
  farthest = std::max(farthest, nearest * 1.001f);
  return glm::perspectiveRH_NO(camera.fovY, aspect, nearest, farthest);
}

Camera frameOutline(const Outline& outline, float aspect, float yaw, float pitch,
                    Projection projection) {
  Camera camera;
  camera.projection = projection;
  camera.yaw = yaw;
  camera.pitch = pitch;
  camera.distance = 1.0f;
  if (outline.empty()) return camera;
  camera.target = outline.center();

  // In the camera's axes about the centre, a point (x, y, z) is in view where |x| and |y| are at
  // most slope * (distance - z); by parallel rays, slope * distance.
  const float slopeY = std::tan(0.5f * camera.fovY);
  const float slopeX = slopeY * aspect;
  const mat3 rotation(viewFromWorld(camera));
  float distance = 0.0f;
  const std::array<vec3, 8> box = corners(outline);
  for (const vec3& point : outline.points.empty() ? std::span<const vec3>(box) : outline.points) {
    vec3 p = rotation * (point - camera.target);
    if (projection == Projection::orthographic) p.z = 0.0f;
    distance = std::max({distance, p.z + std::abs(p.x) / slopeX, p.z + std::abs(p.y) / slopeY});
  }
  constexpr float kMargin = 1.08f;
  camera.distance = distance > 0.0f ? distance * kMargin : 1.0f; // a point: any distance shows it
  return camera;
}

} // namespace sinew
