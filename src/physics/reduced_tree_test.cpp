#include "core/random.h"
#include "core/test_effort.h"
#include "physics/reduced_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace sinew;

namespace {

btVector3 anyBulletVector(Random& random, float size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

btQuaternion anyRotation(Random& random) {
  return btQuaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                      random.uniform(0.1f, 1))
      .normalized();
}

btVector3 anyInertia(Random& random) {
  return {random.uniform(0.1f, 1), random.uniform(0.1f, 1), random.uniform(0.1f, 1)};
}

// A tree of random links in a random pose and in motion; Bullet knows all that it stores.
struct AnyTree {
  std::unique_ptr<btMultiBody> body;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
  btAlignedObjectArray<btScalar> r;
  btAlignedObjectArray<btVector3> v;
  btAlignedObjectArray<btMatrix3x3> m;

  AnyTree(Random& random, bool hangs) {
    const int links = 1 + static_cast<int>(random.below(9));
    body = std::make_unique<btMultiBody>(links, random.uniform(0.5f, 3), anyInertia(random), hangs,
                                         false, true);
    for (int i = 0; i < links; ++i) {
      const int parent = static_cast<int>(random.below(static_cast<std::uint32_t>(i + 1))) - 1;
      const double mass = random.uniform(0.5f, 3);
      const btVector3 to = anyBulletVector(random, 0.5f), from = anyBulletVector(random, 0.5f);
      if (random.below(2) == 0)
        body->setupRevolute(i, mass, anyInertia(random), parent, anyRotation(random),
                            anyBulletVector(random, 1).normalized(), to, from);
      else
        body->setupSpherical(i, mass, anyInertia(random), parent, anyRotation(random), to, from);
    }
    body->finalizeMultiDof();
    body->setBaseWorldTransform(btTransform(anyRotation(random), anyBulletVector(random, 2)));
    const int coordinates = 6 + body->getNumDofs();
    std::vector<btScalar> speeds;
    speeds.reserve(static_cast<std::size_t>(coordinates));
    for (int i = 0; i < coordinates; ++i)
      speeds.push_back(hangs && i < 6 ? 0.0 : static_cast<double>(random.uniform(-1, 1)));
    body->applyDeltaVeeMultiDof(speeds.data(), 1.0);
    if (hangs) body->setBaseVel(anyBulletVector(random, 1));
    for (int i = 0; i < links; ++i) {
      const btQuaternion q = anyRotation(random);
      const double spherical[] = {q.x(), q.y(), q.z(), q.w()};
      if (body->getLink(i).m_dofCount == 3)
        body->setJointPosMultiDof(i, spherical);
      else
        body->setJointPos(i, static_cast<double>(random.uniform(-2, 2)));
    }
    for (int i = -1; i < links; ++i) {
      colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(body.get(), i));
      if (i < 0)
        body->setBaseCollider(colliders.back().get());
      else
        body->getLink(i).m_collider = colliders.back().get();
    }
    btAlignedObjectArray<btQuaternion> rotations;
    btAlignedObjectArray<btVector3> origins;
    body->forwardKinematics(rotations, origins);
    body->updateCollisionObjectWorldTransforms(rotations, origins);
    body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.0, r, v, m, false, false, false);
  }

  // What a force on a link is in coordinates, and what it changes: by Bullet.
  std::vector<btScalar> jacobian(int link, const btVector3& point, const btVector3& normal) {
    std::vector<btScalar> out(static_cast<std::size_t>(6 + body->getNumDofs()));
    body->fillConstraintJacobianMultiDof(link, point, btVector3(0, 0, 0), normal, out.data(), r, v,
                                         m);
    return out;
  }
  std::vector<btScalar> response(const std::vector<btScalar>& force) {
    std::vector<btScalar> out(force.size());
    body->calcAccelerationDeltasMultiDof(force.data(), out.data(), r, v);
    return out;
  }
};

} // namespace

TEST_CASE("a tree's factored mass matrix answers impulses as Bullet's articulated bodies do") {
  Random random(31);
  for (int round = 0; round < test::rounds(400, 60); ++round) {
    const bool hangs = random.below(3) == 0;
    AnyTree any(random, hangs);
    const btVector3 origin = anyBulletVector(random, 2);
    ReducedTree tree;
    tree.take(*any.body, origin);
    const int skipped = hangs ? 6 : 0; // coordinates that an animated root has not
    REQUIRE(tree.size() == 6 - skipped + any.body->getNumDofs());

    const int link = static_cast<int>(random.below(
                         static_cast<std::uint32_t>(any.body->getNumLinks() + (hangs ? 0 : 1)))) -
                     (hangs ? 0 : 1);
    const btVector3 point = anyBulletVector(random, 2),
                    normal = anyBulletVector(random, 1).normalized();
    const std::vector<btScalar> force = any.jacobian(link, point, normal);
    const std::vector<btScalar> change = any.response(force);

    // The row's y, for the coordinates of the link's path.
    const Motion along = forceAt(point - origin, normal);
    const auto path = tree.path(link);
    std::vector<std::array<double, 1>> y;
    for (const int coordinate : path) {
      y.push_back({dot(tree.axis(coordinate), along)});
      CHECK(y.back()[0] ==
            doctest::Approx(force[static_cast<std::size_t>(skipped + coordinate)]).epsilon(1e-9));
    }
    tree.divide(path, y.data());
    double gives = 0.0, expected = 0.0;
    std::vector<double> z(static_cast<std::size_t>(tree.size()), 0.0);
    for (std::size_t p = 0; p < path.size(); ++p) {
      gives += y[p][0] * y[p][0];
      z[static_cast<std::size_t>(path[p])] = y[p][0];
    }
    for (std::size_t i = 0; i < force.size(); ++i)
      expected += force[i] * change[i];
    CHECK(gives == doctest::Approx(expected).epsilon(1e-7));

    // A unit impulse as velocities.
    tree.writeBack(z);
    const btScalar* given = any.body->getDeltaVelocityVector();
    for (std::size_t i = 0; i < change.size(); ++i)
      CHECK(given[i] == doctest::Approx(change[i]).epsilon(1e-6));
  }
}

TEST_CASE("a tree's links move as Bullet says") {
  Random random(32);
  for (int round = 0; round < test::rounds(400, 60); ++round) {
    AnyTree any(random, random.below(3) == 0);
    const btVector3 origin = anyBulletVector(random, 2);
    ReducedTree tree;
    tree.take(*any.body, origin);
    const auto links = static_cast<std::size_t>(any.body->getNumLinks()) + 1;
    std::vector<btVector3> spins(links), velocities(links);
    any.body->compTreeLinkVelocities(spins.data(), velocities.data());
    for (std::size_t i = 0; i < links; ++i) {
      const btTransform& transform = any.colliders[i]->getWorldTransform();
      const btVector3 spin = transform.getBasis() * spins[i];
      const btVector3 velocity = transform.getBasis() * velocities[i];
      const Motion motion = tree.computeMotion(static_cast<int>(i) - 1);
      const btVector3 at = transform.getOrigin() - origin;
      for (int k = 0; k < 3; ++k) {
        btVector3 axis(0, 0, 0);
        axis[k] = 1.0;
        CHECK(dot(motion, torqueAbout(axis)) == doctest::Approx(spin[k]).epsilon(1e-9));
        CHECK(dot(motion, forceAt(at, axis)) == doctest::Approx(velocity[k]).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("a rigid body is a tree of one") {
  Random random(33);
  for (int round = 0; round < test::rounds(100, 20); ++round) {
    const double mass = random.uniform(0.5f, 3);
    btSphereShape shape(0.1);
    btRigidBody body(mass, nullptr, &shape, anyInertia(random));
    body.setWorldTransform(btTransform(anyRotation(random), anyBulletVector(random, 2)));
    body.updateInertiaTensor();
    body.setLinearVelocity(anyBulletVector(random, 3));
    body.setAngularVelocity(anyBulletVector(random, 3));
    const btVector3 origin = anyBulletVector(random, 2), point = anyBulletVector(random, 2);
    const btVector3 normal = anyBulletVector(random, 1).normalized();
    ReducedTree tree;
    tree.take(body, origin, 0.01);
    const Motion along = forceAt(point - origin, normal);
    std::vector<std::array<double, 1>> y;
    for (const int coordinate : tree.path(-1))
      y.push_back({dot(tree.axis(coordinate), along)});
    tree.divide(tree.path(-1), y.data());
    double gives = 0.0;
    std::vector<double> z(6);
    for (std::size_t p = 0; p < y.size(); ++p) {
      gives += y[p][0] * y[p][0];
      z[static_cast<std::size_t>(tree.path(-1)[p])] = y[p][0];
    }
    CHECK(gives == doctest::Approx(body.computeImpulseDenominator(point, normal)).epsilon(1e-9));
    const btVector3 arm = point - body.getCenterOfMassPosition();
    const btScalar before = body.getVelocityInLocalPoint(arm).dot(normal);
    CHECK(dot(tree.computeMotion(-1), along) == doctest::Approx(before).epsilon(1e-9));
    tree.writeBack(z);
    CHECK(body.getVelocityInLocalPoint(arm).dot(normal) ==
          doctest::Approx(before + gives).epsilon(1e-9));
  }
}
