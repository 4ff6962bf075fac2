// What a PhysicsWorld is made of in Bullet, for the sources of this folder.
#pragma once

#include "physics/bullet.h"
#include "physics/joint_constraint.h"
#include "physics/physics_world.h"
#include "physics/restitution.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace sinew {

// The torque of a contact that resists rolling and spinning, metres times its force. Bullet's own
// product is `a`'s resistance times `b`'s friction, and the other way round.
inline constexpr double kRollingArm = 0.01;
inline constexpr double kSpinningArm = 0.03;

// A rigid body with its shape, in the world while it lives.
class WorldBody {
 public:
  // Mass 0: fixed.
  WorldBody(btDiscreteDynamicsWorld& world, std::unique_ptr<btCollisionShape> shape, double mass,
            const glm::dvec3& inertia, const RigidTransform& transform);
  ~WorldBody();
  WorldBody(const WorldBody&) = delete;
  WorldBody& operator=(const WorldBody&) = delete;

  btRigidBody& body() { return *body_; }
  const btRigidBody& body() const { return *body_; }
  RigidTransform transform() const { return fromBullet(body_->getWorldTransform()); }
  void put(const RigidTransform& transform);

 private:
  btDiscreteDynamicsWorld& world_;
  std::unique_ptr<btCollisionShape> shape_;
  std::unique_ptr<btRigidBody> body_;
};

// Bullet's solver, which does not stop amid a jolt: where a contact comes to bear late, friction
// and load may drive one another up for some iterations before they settle.
class SettlingSolver final : public btSequentialImpulseConstraintSolver {
 public:
  static constexpr int kMaxRounds = 4; // as many iterations

  explicit SettlingSolver(int iterations) : iterations_(iterations) {}

  btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int bodyCount,
                                btPersistentManifold** manifolds, int manifoldCount,
                                btTypedConstraint** constraints, int constraintCount,
                                const btContactSolverInfo& info, btIDebugDraw* draw) override;

 private:
  int iterations_;
  btScalar least_ = 0.0; // change of this step, squared speed
};

struct WorldParts {
  explicit WorldParts(const PhysicsOptions& options);
  WorldParts(const WorldParts&) = delete;
  WorldParts& operator=(const WorldParts&) = delete;

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  std::unique_ptr<btConstraintSolver> solver;
  std::unique_ptr<btDiscreteDynamicsWorld> ownWorld;
  btDiscreteDynamicsWorld& world;
  btMultiBodyDynamicsWorld* reduced = nullptr; // the same, for JointSolver::reduced
  std::vector<std::unique_ptr<WorldBody>> fixed;
  std::vector<std::unique_ptr<WorldBody>> balls;
  std::vector<double> ballRadii;
  Bounces bounces;

  // One per ragdoll, in the order they came; called before and after Bullet's step.
  struct Member {
    const void* owner = nullptr;
    std::function<void(double)> before;
    std::function<void(double)> after;
  };
  std::vector<Member> members;
  int nextOwner = 1;

  // Contacts are found as far ahead as the links of a reduced ragdoll move in a step, so that a
  // hand that whips at the ground is stopped there. At the ground, as far as the fastest link of
  // its ragdoll: an impact elsewhere may give it that speed within the step. Bullet's distance is
  // the same for all.
  void lookAhead(double seconds);
  std::vector<double> paths;   // scratch memory: path of each object in a step, metres
  std::vector<double> longest; // longest path of each owner's objects

  // What touches in this step, by the number that the bodies of each ragdoll carry.
  std::map<int, std::vector<const btPersistentManifold*>> touching;
  void findTouching();
};

} // namespace sinew
