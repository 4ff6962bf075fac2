#include "core/transform.h"

#include "core/directions.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

mat4 toMatrix(const Transform& t) {
  const mat3 rotation = glm::mat3_cast(t.rotation);
  return {vec4(rotation[0] * t.scale.x, 0.0f), vec4(rotation[1] * t.scale.y, 0.0f),
          vec4(rotation[2] * t.scale.z, 0.0f), vec4(t.translation, 1.0f)};
}

Transform decompose(const mat4& m) {
  Transform t;
  t.translation = vec3(m[3]);
  mat3 columns(m);
  for (int i = 0; i < 3; ++i)
    t.scale[i] = glm::length(columns[i]);
  if (glm::determinant(columns) < 0.0f) t.scale.x = -t.scale.x;

  // Gram-Schmidt from the longest axis down: what is well determined decides.
  std::array order = {0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::abs(t.scale[a]) > std::abs(t.scale[b]); });
  const auto [first, second, third] = order;
  if (t.scale[first] == 0.0f) return t;
  columns[first] /= t.scale[first];
  vec3 across = columns[second] - glm::dot(columns[second], columns[first]) * columns[first];
  const float length = glm::length(across);
  across = length > 1e-6f * std::abs(t.scale[second]) && length > 0.0f
               ? across / (t.scale[second] < 0.0f ? -length : length)
               : perpendicular(columns[first]);
  columns[second] = across;
  const bool cyclic = (second - first + 3) % 3 == 1; // (first, second, third) is an even order
  columns[third] = cyclic ? glm::cross(columns[first], across) : glm::cross(across, columns[first]);
  t.rotation = glm::normalize(glm::quat_cast(columns));
  return t;
}

quat slerpShortest(const quat& a, const quat& b, float t) {
  float cosine = glm::dot(a, b);
  const quat target = cosine < 0.0f ? -b : b;
  cosine = std::abs(cosine);
  if (cosine > 0.9995f) return glm::normalize(a * (1.0f - t) + target * t);
  const float angle = std::acos(cosine);
  return (a * std::sin((1.0f - t) * angle) + target * std::sin(t * angle)) / std::sin(angle);
}

Transform interpolate(const Transform& a, const Transform& b, float t) {
  return {a.translation + t * (b.translation - a.translation),
          slerpShortest(a.rotation, b.rotation, t), a.scale + t * (b.scale - a.scale)};
}

bool isFinite(const Transform& t) {
  return isFinite(t.translation) && isFinite(t.scale) && isFinite(t.rotation);
}

bool isFinite(const mat4& m) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      if (!std::isfinite(m[column][row])) return false;
  return true;
}

DualQuaternion dualQuaternion(const quat& rotation, const vec3& translation) {
  return {rotation, 0.5f * (quat(0.0f, translation.x, translation.y, translation.z) * rotation)};
}

DualQuaternion operator*(const DualQuaternion& a, const DualQuaternion& b) {
  return {a.real * b.real, a.real * b.dual + a.dual * b.real};
}

DualQuaternion normalize(const DualQuaternion& q) {
  const float scale = 1.0f / glm::length(q.real);
  const quat real = scale * q.real;
  const quat dual = scale * q.dual;
  return {real, dual - glm::dot(real, dual) * real};
}

vec3 getTranslation(const DualQuaternion& q) {
  const quat t = 2.0f * (q.dual * glm::conjugate(q.real));
  return {t.x, t.y, t.z};
}

vec3 transformPoint(const DualQuaternion& q, const vec3& p) {
  return q.real * p + getTranslation(q);
}

} // namespace sinew
