#include "physics/physics_world.h"

#include "physics/world_parts.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Share of a penetration taken back in a step, without leaving speed behind. Bullet moves bodies by
// it whatever the joints say: slowly, unless the severity solver brings them together after.
constexpr double kTakeBack = 0.05;
constexpr double kTakeBackBeforeJoints = 0.25;

// An iteration that changes more than this times the least has not settled.
constexpr btScalar kSettled = 4.0;
constexpr btScalar kGoesOn = 1e-300;

} // namespace

WorldBody::WorldBody(btDiscreteDynamicsWorld& world, std::unique_ptr<btCollisionShape> shape,
                     double mass, const glm::dvec3& inertia, const BodyPlace& place)
    : world_(world), shape_(std::move(shape)) {
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape_.get(), toBullet(inertia));
  info.m_startWorldTransform = toBullet(place);
  body_ = std::make_unique<btRigidBody>(info);
  world_.addRigidBody(body_.get());
}

WorldBody::~WorldBody() {
  world_.removeRigidBody(body_.get());
}

void WorldBody::put(const BodyPlace& place) {
  const btTransform transform = toBullet(place);
  body_->setWorldTransform(transform);
  body_->setInterpolationWorldTransform(transform);
}

// Bullet ends the step where this is 0.
btScalar SettlingSolver::solveSingleIteration(int iteration, btCollisionObject** bodies,
                                              int bodyCount, btPersistentManifold** manifolds,
                                              int manifoldCount, btTypedConstraint** constraints,
                                              int constraintCount, const btContactSolverInfo& info,
                                              btIDebugDraw* draw) {
  const btScalar change = btSequentialImpulseConstraintSolver::solveSingleIteration(
      iteration, bodies, bodyCount, manifolds, manifoldCount, constraints, constraintCount, info,
      draw);
  least_ = iteration == 0 ? change : std::min(least_, change);
  if (iteration + 1 >= iterations_ && change <= kSettled * least_) return 0.0;
  return std::max(change, kGoesOn);
}

PhysicsWorld::Parts::Parts(const PhysicsOptions& options) : solver(options.iterations) {
  world.setGravity(btVector3(0.0, -options.gravity, 0.0));
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = SettlingSolver::kMostTimes * options.iterations;
  info.m_splitImpulse = 1;
  info.m_splitImpulsePenetrationThreshold = 1.0; // always: depth is never turned into speed
  info.m_erp2 = options.solver == JointSolver::severity ? kTakeBackBeforeJoints : kTakeBack;
  // Contacts are found 2 cm ahead for all sizes of bodies, so that fast limbs do not dive in.
  dispatcher.setDispatcherFlags(dispatcher.getDispatcherFlags() &
                                ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
  // Friction along fixed directions: those of the slide turn with it, and what was held along one
  // would push along the next, so that a heap of limbs creeps.
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING |
                       SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
}

void PhysicsWorld::Parts::findTouching() {
  for (auto& [owner, manifolds] : touching)
    manifolds.clear();
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(i);
    const int a = manifold->getBody0()->getUserIndex2();
    const int b = manifold->getBody1()->getUserIndex2();
    if (a > 0) touching[a].push_back(manifold);
    if (b > 0 && b != a) touching[b].push_back(manifold);
  }
}

PhysicsWorld::PhysicsWorld(const PhysicsOptions& options)
    : options_(options), parts_(std::make_unique<Parts>(options)) {
  if (options.ground) addWall({0.0, 1.0, 0.0}, 0.0);
}

PhysicsWorld::~PhysicsWorld() = default;
PhysicsWorld::PhysicsWorld(PhysicsWorld&&) noexcept = default;
PhysicsWorld& PhysicsWorld::operator=(PhysicsWorld&&) noexcept = default;

void PhysicsWorld::addWall(const glm::dvec3& normal, double distance) {
  auto plane = std::make_unique<btStaticPlaneShape>(toBullet(normal), distance);
  parts_->fixed.push_back(std::make_unique<WorldBody>(parts_->world, std::move(plane), 0.0,
                                                      glm::dvec3(0.0), BodyPlace{}));
  btRigidBody& body = parts_->fixed.back()->body();
  body.setFriction(1.0);
  body.setRollingFriction(1.0);
  body.setSpinningFriction(1.0);
}

std::size_t PhysicsWorld::addBall(double radius, double mass, const glm::dvec3& position,
                                  const glm::dvec3& velocity) {
  const glm::dvec3 inertia(0.4 * mass * radius * radius);
  parts_->balls.push_back(std::make_unique<WorldBody>(
      parts_->world, std::make_unique<btSphereShape>(radius), mass, inertia, BodyPlace{position}));
  parts_->ballRadii.push_back(radius);
  btRigidBody& body = parts_->balls.back()->body();
  body.setLinearVelocity(toBullet(velocity));
  body.setFriction(0.6);
  body.setRollingFriction(0.01);
  body.setRestitution(0.3);
  body.setDamping(0.02, 0.3);
  body.setSleepingThresholds(0.1, 0.3);
  // Fast and small against what it hits: swept over the step.
  body.setCcdMotionThreshold(0.5 * radius);
  body.setCcdSweptSphereRadius(0.5 * radius);
  return parts_->balls.size() - 1;
}

BodyPlace PhysicsWorld::ball(std::size_t index) const {
  return parts_->balls[index]->place();
}
glm::dvec3 PhysicsWorld::ballVelocity(std::size_t index) const {
  return fromBullet(parts_->balls[index]->body().getLinearVelocity());
}
double PhysicsWorld::ballRadius(std::size_t index) const {
  return parts_->ballRadii[index];
}
std::size_t PhysicsWorld::ballCount() const {
  return parts_->balls.size();
}
void PhysicsWorld::clearBalls() {
  parts_->balls.clear();
  parts_->ballRadii.clear();
}

void PhysicsWorld::step() {
  for (const Parts::Member& member : parts_->members)
    member.before(stepSeconds());
  parts_->world.stepSimulation(stepSeconds(), 0); // exactly one step of this length
  if (options_.solver == JointSolver::severity) parts_->findTouching();
  for (const Parts::Member& member : parts_->members)
    member.after(stepSeconds());
}

int StepClock::stepsFor(double seconds, double stepSeconds, int most) {
  left += std::max(seconds, 0.0);
  const auto steps = static_cast<int>(std::min(std::floor(left / stepSeconds + 1e-9), most + 1.0));
  if (steps > most) {
    left = 0.0;
    return most;
  }
  left = std::max(left - steps * stepSeconds, 0.0);
  return steps;
}

} // namespace sinew
