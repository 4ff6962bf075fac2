#include "physics/world_parts.h"

#include "physics/reduced_solver.h"

#include <algorithm>

namespace sinew {
namespace {

// Fraction of a penetration that is corrected in a step, without leaving speed behind. Bullet moves
// bodies by it whatever the joints allow: slowly, unless the severity solver corrects the joints
// afterwards.
constexpr double kCorrection = 0.05;
constexpr double kCorrectionBeforeJoints = 0.25;

// An iteration that changes more than this times the least has not settled.
constexpr btScalar kSettled = 4.0;
constexpr btScalar kGoesOn = 1e-300;

// Fractions for JointSolver::reduced: of depth, which Bullet corrects by speed (little of it, as
// the pose is corrected after the step), of a drag, and of the last step's impulses.
constexpr double kReducedCorrection = 0.1;
constexpr double kReducedDrag = 0.12;
constexpr double kReducedWarmStart = 0.85;
// Squared metres a second: an iteration that changes no row by more ends the step.
constexpr btScalar kReducedSettled = 1e-10;

// ReducedTree::carry applies the forces of a step. Bullet's own forward dynamics, whose result it
// would replace, are skipped: the list of trees that they go through is empty meanwhile.
class CarriedWorld final : public btMultiBodyDynamicsWorld {
 public:
  using btMultiBodyDynamicsWorld::btMultiBodyDynamicsWorld;

  void solveExternalForces(btContactSolverInfo& info) override {
    trees_.copyFromArray(m_multiBodies);
    m_multiBodies.resizeNoInitialize(0);
    btMultiBodyDynamicsWorld::solveExternalForces(info);
    m_multiBodies.copyFromArray(trees_);
  }

 private:
  btAlignedObjectArray<btMultiBody*> trees_;
};

std::unique_ptr<btConstraintSolver> solverFor(const PhysicsOptions& options) {
  if (options.solver == JointSolver::reduced)
    return std::make_unique<ReducedSolver>(options.threads);
  return std::make_unique<SettlingSolver>(options.iterations);
}

std::unique_ptr<btDiscreteDynamicsWorld> worldFor(const PhysicsOptions& options,
                                                  WorldParts& parts) {
  if (options.solver == JointSolver::reduced)
    return std::make_unique<CarriedWorld>(
        &parts.dispatcher, &parts.broadphase,
        static_cast<btMultiBodyConstraintSolver*>(parts.solver.get()), &parts.configuration);
  return std::make_unique<btDiscreteDynamicsWorld>(&parts.dispatcher, &parts.broadphase,
                                                   parts.solver.get(), &parts.configuration);
}

} // namespace

WorldBody::WorldBody(btDiscreteDynamicsWorld& world, std::unique_ptr<btCollisionShape> shape,
                     double mass, const glm::dvec3& inertia, const RigidTransform& transform)
    : world_(world), shape_(std::move(shape)) {
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape_.get(), toBullet(inertia));
  info.m_startWorldTransform = toBullet(transform);
  body_ = std::make_unique<btRigidBody>(info);
  world_.addRigidBody(body_.get());
}

WorldBody::~WorldBody() {
  world_.removeRigidBody(body_.get());
}

void WorldBody::put(const RigidTransform& transform) {
  const btTransform worldTransform = toBullet(transform);
  body_->setWorldTransform(worldTransform);
  body_->setInterpolationWorldTransform(worldTransform);
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

WorldParts::WorldParts(const PhysicsOptions& options)
    : solver(solverFor(options)), ownWorld(worldFor(options, *this)), world(*ownWorld) {
  if (options.solver == JointSolver::reduced)
    reduced = static_cast<btMultiBodyDynamicsWorld*>(ownWorld.get());
  world.setGravity(btVector3(0.0, -options.gravity, 0.0));
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = SettlingSolver::kMaxRounds * options.iterations;
  info.m_splitImpulse = 1;
  info.m_splitImpulsePenetrationThreshold = 1.0; // always: depth is never turned into speed
  // Bounces, and the reduced solver for its trees, apply restitution. Bullet's rows would apply it
  // too, against the joints' rows in the same step, and give bodies energy.
  info.m_restitutionVelocityThreshold = BT_LARGE_FLOAT;
  info.m_erp2 = options.solver == JointSolver::severity ? kCorrectionBeforeJoints : kCorrection;
  if (options.solver == JointSolver::reduced) {
    info.m_numIterations = options.iterations;
    info.m_leastSquaresResidualThreshold = kReducedSettled;
    info.m_erp = kReducedDrag;
    info.m_articulatedWarmstartingFactor = kReducedWarmStart;
    info.m_minimumSolverBatchSize = -1; // each island on its own, also what touches nothing
    info.m_erp2 = kReducedCorrection;
  }
  // Contacts are found 2 cm ahead for all sizes of bodies, so that fast limbs do not dive in.
  dispatcher.setDispatcherFlags(dispatcher.getDispatcherFlags() &
                                ~btCollisionDispatcher::CD_USE_RELATIVE_CONTACT_BREAKING_THRESHOLD);
  // Friction along fixed directions: those of the slide turn with it, and what was held along one
  // would push along the next, so that a heap of limbs creeps.
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING |
                       SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
}

void WorldParts::lookAhead(double seconds) {
  const btCollisionObjectArray& objects = world.getCollisionObjectArray();
  paths.assign(static_cast<std::size_t>(objects.size()), 0.0);
  longest.assign(static_cast<std::size_t>(nextOwner), 0.0);
  for (int i = 0; i < objects.size(); ++i) {
    const btCollisionObject* object = objects[i];
    if (btMultiBodyLinkCollider::upcast(object) == nullptr) continue;
    btVector3 middle;
    btScalar radius = 0.0;
    object->getCollisionShape()->getBoundingSphere(middle, radius);
    const btScalar speed = object->getInterpolationLinearVelocity().length() +
                           object->getInterpolationAngularVelocity().length() * radius;
    const double path = paths[static_cast<std::size_t>(i)] = seconds * speed;
    double& ofAll = longest[static_cast<std::size_t>(object->getUserIndex2())];
    ofAll = std::max(ofAll, path);
  }
  const auto getLongestPath = [&](const btCollisionObject* object, const btCollisionObject* other) {
    if (btMultiBodyLinkCollider::upcast(object) == nullptr) return 0.0;
    return other->isStaticObject() ? longest[static_cast<std::size_t>(object->getUserIndex2())]
                                   : paths[static_cast<std::size_t>(object->getWorldArrayIndex())];
  };
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
    const btCollisionObject* a = manifold.getBody0();
    const btCollisionObject* b = manifold.getBody1();
    manifold.setContactBreakingThreshold(gContactBreakingThreshold +
                                         std::max(getLongestPath(a, b), getLongestPath(b, a)));
  }
}

void WorldParts::findTouching() {
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

} // namespace sinew
