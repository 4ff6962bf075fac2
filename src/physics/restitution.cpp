#include "physics/restitution.h"

#include <algorithm>
#include <cmath>

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

std::vector<BodyMotion> listMotions(const btDiscreteDynamicsWorld& world) {
  std::vector<BodyMotion> motions;
  for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
    const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
    motions.push_back(body == nullptr
                          ? BodyMotion{}
                          : BodyMotion{body->getLinearVelocity(), body->getAngularVelocity(),
                                       body->getCenterOfMassPosition()});
  }
  return motions;
}

// A body's inertia times a vector.
btVector3 inertiaTimes(const btRigidBody& body, const btVector3& spin) {
  const btMatrix3x3& world = body.getCenterOfMassTransform().getBasis();
  return world * (body.getLocalInertia() * (world.transpose() * spin));
}

// Twice the kinetic energy that two motions have in common.
double product(const btRigidBody& body, const BodyMotion& a, const BodyMotion& b) {
  return body.getMass() * a.velocity.dot(b.velocity) + a.spin.dot(inertiaTimes(body, b.spin));
}

// The fraction of what bounces added to the speeds after a step with which no energy is gained over
// that before it. Poses are those at the end of the step.
double allowedFraction(const btDiscreteDynamicsWorld& world, const std::vector<BodyMotion>& before,
                       const std::vector<BodyMotion>& after) {
  double gained = 0.0, mixed = 0.0, added = 0.0;
  for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
    const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
    if (body == nullptr || body->isStaticOrKinematicObject()) continue;
    const auto at = static_cast<std::size_t>(i);
    const BodyMotion now{body->getLinearVelocity() - after[at].velocity,
                         body->getAngularVelocity() - after[at].spin, after[at].position};
    const btVector3 path = after[at].position - before[at].position;
    gained += 0.5 * product(*body, after[at], after[at]) -
              0.5 * product(*body, before[at], before[at]) -
              body->getMass() * path.dot(body->getGravity());
    mixed += product(*body, after[at], now);
    added += 0.5 * product(*body, now, now);
  }
  if (gained + mixed + added <= 0.0) return 1.0;
  if (gained >= 0.0 || !(added > 0.0)) return 0.0;
  return (-mixed + std::sqrt(mixed * mixed - 4.0 * added * gained)) / (2.0 * added);
}

} // namespace

void Bounces::rememberSpeeds(const btDiscreteDynamicsWorld& world) {
  before_ = listMotions(world);
}

void Bounces::apply(btDiscreteDynamicsWorld& world) {
  std::vector<Bounce> bounces;
  const auto before = [&](const btRigidBody& body) {
    return before_[static_cast<std::size_t>(body.getWorldArrayIndex())];
  };
  const auto findBody = [&](const btCollisionObject* object) {
    return btRigidBody::upcast(world.getCollisionObjectArray()[object->getWorldArrayIndex()]);
  };
  btDispatcher& dispatcher = *world.getDispatcher();
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
    btRigidBody* a = findBody(manifold.getBody0());
    btRigidBody* b = findBody(manifold.getBody1());
    if (a == nullptr || b == nullptr || (!a->isActive() && !b->isActive())) continue;
    const btScalar restitution = a->getRestitution() * b->getRestitution();
    if (!(restitution > 0.0)) continue;
    for (int k = 0; k < manifold.getNumContacts(); ++k) {
      const btManifoldPoint& point = manifold.getContactPoint(k);
      Bounce bounce{a, b, point.getPositionWorldOnA() - a->getCenterOfMassPosition(),
                    point.getPositionWorldOnB() - b->getCenterOfMassPosition(),
                    point.m_normalWorldOnB};
      const BodyMotion ofA = before(*a), ofB = before(*b);
      const btScalar approach = (speedAt(ofB.velocity, ofB.spin, bounce.armB) -
                                 speedAt(ofA.velocity, ofA.spin, bounce.armA))
                                    .dot(bounce.normal);
      if (!(point.getAppliedImpulse() > 0.0) || approach < kBounceSpeed) continue;
      bounce.wanted = restitution * approach;
      bounces.push_back(bounce);
    }
  }
  if (bounces.empty()) return;
  const std::vector<BodyMotion> after = listMotions(world);
  for (int pass = 0; pass < kPasses; ++pass)
    for (const Bounce& bounce : bounces)
      push(bounce);
  const double fraction = allowedFraction(world, before_, after);
  if (fraction >= 1.0) return;
  for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
    btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
    if (body == nullptr || body->isStaticOrKinematicObject()) continue;
    const BodyMotion& from = after[static_cast<std::size_t>(i)];
    body->setLinearVelocity(from.velocity + fraction * (body->getLinearVelocity() - from.velocity));
    body->setAngularVelocity(from.spin + fraction * (body->getAngularVelocity() - from.spin));
  }
}

} // namespace sinew
