#include "physics/restitution.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int kPasses = 10; // over the contacts of a step, which change one another

btVector3 speedAt(const btVector3& velocity, const btVector3& spin, const btVector3& arm) {
  return velocity + spin.cross(arm);
}

// A contact that bounces.
struct Bounce {
  btRigidBody* a = nullptr;
  btRigidBody* b = nullptr;
  btVector3 armA, armB, normal; // from b to a
  btScalar wanted = 0.0;        // separating speed
};

btScalar separatingSpeed(const Bounce& bounce) {
  const btVector3 apart =
      speedAt(bounce.a->getLinearVelocity(), bounce.a->getAngularVelocity(), bounce.armA) -
      speedAt(bounce.b->getLinearVelocity(), bounce.b->getAngularVelocity(), bounce.armB);
  return apart.dot(bounce.normal);
}

// Only pushes.
void push(const Bounce& bounce) {
  const btScalar lacking = bounce.wanted - separatingSpeed(bounce);
  const btScalar gives = bounce.a->computeImpulseDenominator(
                             bounce.a->getCenterOfMassPosition() + bounce.armA, bounce.normal) +
                         bounce.b->computeImpulseDenominator(
                             bounce.b->getCenterOfMassPosition() + bounce.armB, bounce.normal);
  if (!(lacking > 0.0) || !(gives > 0.0)) return;
  const btVector3 impulse = lacking / gives * bounce.normal;
  bounce.a->applyImpulse(impulse, bounce.armA);
  bounce.b->applyImpulse(-impulse, bounce.armB);
}

} // namespace

void Bounces::rememberSpeeds(const btDiscreteDynamicsWorld& world) {
  before_.clear();
  for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
    const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
    before_.push_back(body == nullptr
                          ? SpeedBefore{}
                          : SpeedBefore{body->getLinearVelocity(), body->getAngularVelocity()});
  }
}

void Bounces::apply(btDiscreteDynamicsWorld& world) {
  std::vector<Bounce> bounces;
  const auto before = [&](const btRigidBody& body) {
    return before_[static_cast<std::size_t>(body.getWorldArrayIndex())];
  };
  const auto bodyOf = [&](const btCollisionObject* object) {
    return btRigidBody::upcast(world.getCollisionObjectArray()[object->getWorldArrayIndex()]);
  };
  btDispatcher& dispatcher = *world.getDispatcher();
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
    btRigidBody* a = bodyOf(manifold.getBody0());
    btRigidBody* b = bodyOf(manifold.getBody1());
    if (a == nullptr || b == nullptr || (!a->isActive() && !b->isActive())) continue;
    const btScalar restitution = a->getRestitution() * b->getRestitution();
    if (!(restitution > 0.0)) continue;
    for (int k = 0; k < manifold.getNumContacts(); ++k) {
      const btManifoldPoint& point = manifold.getContactPoint(k);
      Bounce bounce{a, b, point.getPositionWorldOnA() - a->getCenterOfMassPosition(),
                    point.getPositionWorldOnB() - b->getCenterOfMassPosition(),
                    point.m_normalWorldOnB};
      const SpeedBefore ofA = before(*a), ofB = before(*b);
      const btScalar approach = (speedAt(ofB.velocity, ofB.spin, bounce.armB) -
                                 speedAt(ofA.velocity, ofA.spin, bounce.armA))
                                    .dot(bounce.normal);
      if (!(point.getAppliedImpulse() > 0.0) || approach < kBounceSpeed) continue;
      bounce.wanted = restitution * approach;
      bounces.push_back(bounce);
    }
  }
  for (int pass = 0; pass < kPasses && !bounces.empty(); ++pass)
    for (const Bounce& bounce : bounces)
      push(bounce);
}

} // namespace sinew
