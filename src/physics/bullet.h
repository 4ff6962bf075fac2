// Bullet, and our vectors as its own. Only for the sources of this folder.
#pragma once

#include "physics/joint_math.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

namespace sinew {

inline btVector3 toBullet(const glm::dvec3& v) {
  return {v.x, v.y, v.z};
}
inline btQuaternion toBullet(const glm::dquat& q) {
  return {q.x, q.y, q.z, q.w};
}
inline btTransform toBullet(const RigidTransform& transform) {
  return btTransform(toBullet(transform.rotation), toBullet(transform.position));
}
inline glm::dvec3 fromBullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
inline RigidTransform fromBullet(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  return {fromBullet(t.getOrigin()), glm::normalize(glm::dquat(q.w(), q.x(), q.y(), q.z()))};
}

} // namespace sinew
