#include "core/dual_quaternion.h"

#include <glm/geometric.hpp>

namespace sinew {

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
