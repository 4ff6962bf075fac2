#include "physics/ragdoll_parts.h"

#include "physics/severity_solver.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A body's smallest principal inertia is at least this fraction of its largest: what is nearly a
// line has negligible inertia about itself, which makes solvers unstable.
constexpr double kLeastInertia = 0.25;
// And this fraction of its parent's: a foot has to carry a body.
constexpr double kLeastOfParent = 0.3;
// Bodies that overlap by more than this in the bind pose never collide, metres; those that do at
// the switch not until they are apart.
constexpr double kOverlap = 0.004;
// Seconds over which velocities are averaged to detect rest.
constexpr double kSleepAverage = 0.2;
// Metres by which the target is ahead of a dragged point at most.
constexpr double kDragReach = 0.15;
// Shares in a drive's torque at strength 1: of what holds the limb out, and of the weight on it.
constexpr double kDriveOfHolding = 3.0;
constexpr double kDriveOfWeight = 0.25;

// Depth of a contact that the severity solver does not correct, metres, and the fraction of what is
// deeper that it corrects in a step.
constexpr double kSlop = 5e-4;
constexpr double kPartCorrection = 0.1;

double allowedDepth(double depth) {
  return depth <= kSlop ? std::max(depth, 0.0) : depth - kPartCorrection * (depth - kSlop);
}

std::unique_ptr<btCollisionShape> makeCollisionShape(const RagdollBody& body,
                                                     double metresPerUnit) {
  if (body.shape == BodyShape::capsule)
    return std::make_unique<btCapsuleShape>(metresPerUnit * static_cast<double>(body.radius),
                                            metresPerUnit * static_cast<double>(body.length));
  const glm::dvec3 half = metresPerUnit * glm::dvec3(body.halfExtents);
  auto box = std::make_unique<btBoxShape>(toBullet(half));
  box->setMargin(std::min(0.02, 0.25 * std::min({half.x, half.y, half.z})));
  return box;
}

struct Deepest final : btCollisionWorld::ContactResultCallback {
  double distance = 0.0;
  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    distance = std::min(distance, static_cast<double>(point.getDistance()));
    return 0.0;
  }
};

} // namespace

RagdollParts::RagdollParts(PhysicsWorld& into, const Model& model, RagdollConfig with,
                           const RagdollPlacement& where)
    : world(*into.parts_), options(into.options()), config(std::move(with)), placement(where),
      hierarchy(model.hierarchy) {
  checkRagdoll(model, config, model.path.empty() ? model.name : model.path);
  bindings = bindBodies(model, config.bodies);
  ownerIndex = world.nextOwner++;
  const RagdollSize size = measureSize(config.bodies);
  metresPerUnit = static_cast<double>(config.metres) / size.longest;
  height = size.height * metresPerUnit;
  addBodies(config);
  addJoints();
  ignoreNeighbours();
  findTorques();
  falls.assign(bodies.size(), 1);
  sleepStates.resize(bodies.size());
  base = bindPose(model);
  for (const auto& body : bodies)
    previous.push_back(body->transform());
  residual.assign(bodies.size(), {});
  stretch.assign(bodies.size(), mat4(1.0f));
  enterReduced();
  world.members.push_back({this, [this](double seconds) { before(seconds); },
                           [this](double seconds) { after(seconds); }});
}

RagdollParts::~RagdollParts() {
  std::erase_if(world.members, [&](const auto& member) { return member.owner == this; });
  if (dragged && !reduced) world.world.removeConstraint(dragged.get());
}

void RagdollParts::addBodies(const RagdollConfig& with) {
  for (std::size_t i = 0; i < with.bodies.size(); ++i) {
    auto shape = makeCollisionShape(with.bodies[i], metresPerUnit);
    const auto bodyMass = static_cast<double>(with.bodies[i].mass);
    btVector3 local;
    shape->calculateLocalInertia(bodyMass, local);
    const double largest = std::max({local.x(), local.y(), local.z()});
    const double least = std::max(kLeastInertia * largest, kLeastOfParent * parentInertia(i));
    inertia.push_back(glm::max(fromBullet(local), glm::dvec3(least)));
    mass += bodyMass;
    bodies.push_back(std::make_unique<WorldBody>(world.world, std::move(shape), bodyMass,
                                                 inertia.back(), worldTransform(bindings[i].bind)));
    btRigidBody& body = bodies.back()->body();
    body.setUserIndex(static_cast<int>(i)); // for contacts()
    body.setUserIndex2(ownerIndex);
    body.setFriction(kLimbFriction * static_cast<double>(with.friction));
    body.setRestitution(static_cast<double>(with.bodies[i].restitution));
    body.setRollingFriction(kRollingArm * kLimbFriction);
    body.setSpinningFriction(kSpinningArm * kLimbFriction);
    body.setDamping(static_cast<double>(with.linearDamping),
                    static_cast<double>(with.angularDamping));
    body.setSleepingThresholds(0.12, 0.6);
  }
}

std::uint32_t RagdollParts::findIndex(const std::string& bone) const {
  const auto found = std::find_if(config.bodies.begin(), config.bodies.end(),
                                  [&](const RagdollBody& body) { return body.bone == bone; });
  return static_cast<std::uint32_t>(found - config.bodies.begin());
}

// The largest principal inertia of a body's parent; joints are in the order of the bodies.
double RagdollParts::parentInertia(std::size_t body) const {
  if (body == 0) return 0.0;
  const glm::dvec3& parent = inertia[findIndex(config.joints[body - 1].parent)];
  return std::max({parent.x, parent.y, parent.z});
}

void RagdollParts::addJoints() {
  for (const RagdollJoint& joint : config.joints) {
    const std::uint32_t parent = findIndex(joint.parent);
    const std::uint32_t child = findIndex(joint.child);
    joints.push_back(
        {jointFrame(joint, bodies[parent]->transform(), bodies[child]->transform(), metresPerUnit),
         parent, child});
    constraints.push_back(std::make_unique<BulletJoint>(world.world, bodies[parent]->body(),
                                                        bodies[child]->body(), joints.back().frame,
                                                        options.solver));
  }
}

// The rigid bodies that fall leave the world; the reduced ones move them.
void RagdollParts::enterReduced() {
  if (options.solver != JointSolver::reduced) return;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (falls[i] != 0) world.world.removeRigidBody(&bodies[i]->body());
  reduced = std::make_unique<ReducedBodies>(*this);
}

bool RagdollParts::overlap(std::size_t a, std::size_t b) const {
  Deepest deepest;
  world.world.contactPairTest(&bodies[a]->body(), &bodies[b]->body(), deepest);
  return deepest.distance < -kOverlap;
}

void RagdollParts::setCollision(std::size_t a, std::size_t b, bool on) {
  bodies[a]->body().setIgnoreCollisionCheck(&bodies[b]->body(), !on);
  bodies[b]->body().setIgnoreCollisionCheck(&bodies[a]->body(), !on);
}

// Parent and child, siblings, and what overlaps in the bind pose touch anyway.
void RagdollParts::ignoreNeighbours() {
  std::vector<std::uint32_t> parent(bodies.size(), kNoNode);
  for (const SolverJoint& joint : joints)
    parent[joint.child] = joint.parent;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool off = parent[i] == j || parent[j] == i || (parent[i] == parent[j]);
      if (off || overlap(i, j)) setCollision(i, j, false);
    }
}

void RagdollParts::findTorques() {
  std::vector<double> below(bodies.size());
  std::vector<glm::dvec3> center(bodies.size()); // times mass
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    below[i] = static_cast<double>(config.bodies[i].mass);
    center[i] = below[i] * bodies[i]->transform().position;
  }
  holdingTorque.resize(joints.size());
  driveTorque.resize(joints.size());
  for (std::size_t j = joints.size(); j-- > 0;) { // children come after their parents
    const SolverJoint& joint = joints[j];
    const glm::dvec3 anchor = bodies[joint.child]->transform().point(joint.frame.anchorChild);
    const double arm = glm::length(center[joint.child] / below[joint.child] - anchor);
    holdingTorque[j] = below[joint.child] * options.gravity * arm;
    driveTorque[j] = kDriveOfHolding * holdingTorque[j] +
                     kDriveOfWeight * mass * options.gravity * joint.frame.radiusChild;
    below[joint.parent] += below[joint.child];
    center[joint.parent] += center[joint.child];
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    constraints[j]->motor.friction = static_cast<double>(config.jointFriction) * holdingTorque[j];
}

RigidTransform RagdollParts::worldTransform(const RigidTransform& model) const {
  return {placement.at + metresPerUnit * (model.position - placement.origin), model.rotation};
}

RigidTransform RagdollParts::modelTransform(const RigidTransform& transform) const {
  return {placement.origin + (transform.position - placement.at) / metresPerUnit,
          transform.rotation};
}

double RagdollParts::lowestPoint(std::size_t body, const RigidTransform& transform) const {
  return transform.position.y -
         metresPerUnit * computeReach(config.bodies[body], transform.rotation).y;
}

RigidBody RagdollParts::rigidBody(std::size_t index) const {
  const btRigidBody& body = bodies[index]->body();
  RigidBody rigid;
  rigid.transform = bodies[index]->transform();
  rigid.velocity = fromBullet(body.getLinearVelocity());
  rigid.spin = fromBullet(body.getAngularVelocity());
  if (falls[index] != 0) {
    rigid.inverseMass = 1.0 / static_cast<double>(config.bodies[index].mass);
    rigid.inverseInertia = 1.0 / inertia[index];
  }
  return rigid;
}

double RagdollParts::kineticEnergyOfAll() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    sum += kineticEnergy(rigidBody(i));
  return sum;
}

void RagdollParts::before(double seconds) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    previous[i] = bodies[i]->transform();
  for (const auto& joint : constraints)
    for (const auto& part : joint->parts)
      part->warmStart(seconds);
  topple.push(*this, seconds);
  dampRelativeSpins(seconds);
  if (dragged) pullDragged();
  if (!initiallyOverlapping.empty()) separateOverlapping();
  if (reduced) reduced->before(seconds);
}

void RagdollParts::dampRelativeSpins(double seconds) {
  const auto awake = [](const auto& body) { return body->body().isActive(); };
  if (!(config.jointDamping > 0.0f) || std::none_of(bodies.begin(), bodies.end(), awake)) return;
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    rigid.push_back(rigidBody(i));
  dampJoints(rigid, joints, lostWithin(static_cast<double>(config.jointDamping), seconds));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (falls[i] != 0) bodies[i]->body().setAngularVelocity(toBullet(rigid[i].spin));
}

// Bodies that overlapped at the switch touch again once they are apart.
void RagdollParts::separateOverlapping() {
  std::erase_if(initiallyOverlapping, [&](const auto& pair) {
    if (overlap(pair.first, pair.second)) return false;
    setCollision(pair.first, pair.second, true);
    return true;
  });
}

// A far target pulls no stronger than a near one, or the body would be shot at it.
void RagdollParts::pullDragged() {
  const glm::dvec3 point =
      bodies[draggedBody]->transform().point(fromBullet(dragged->getPivotInA()));
  const glm::dvec3 path = dragTarget - point;
  const double fraction = std::min(1.0, kDragReach / std::max(glm::length(path), 1e-9));
  dragged->setPivotB(toBullet(point + fraction * path));
  if (reduced) reduced->dragTo(dragged->getPivotInB());
}

// What touches one of the bodies, as Bullet found it. A fraction of the depth before the step is
// corrected together with the joints, or these would push back in what Bullet takes out.
std::vector<SolverContact> RagdollParts::contacts() const {
  const auto findBody = [&](const btCollisionObject* object) {
    const int index = object->getUserIndex2() == ownerIndex ? object->getUserIndex() : -1;
    return index < 0 ? kNoNode : static_cast<std::uint32_t>(index);
  };
  std::vector<SolverContact> out;
  const auto found = world.touching.find(ownerIndex);
  if (found == world.touching.end()) return out;
  for (const btPersistentManifold* each : found->second) {
    const btPersistentManifold& manifold = *each;
    const std::uint32_t a = findBody(manifold.getBody0());
    const std::uint32_t b = findBody(manifold.getBody1());
    for (int k = 0; k < manifold.getNumContacts(); ++k) {
      const btManifoldPoint& point = manifold.getContactPoint(k);
      out.push_back({a, b,
                     fromBullet(a == kNoNode ? point.getPositionWorldOnA() : point.m_localPointA),
                     fromBullet(b == kNoNode ? point.getPositionWorldOnB() : point.m_localPointB),
                     fromBullet(point.m_normalWorldOnB),
                     allowedDepth(-static_cast<double>(point.getDistance()))});
    }
  }
  return out;
}

// A body rests when its mean velocities are negligible. Bullet tests the current velocities:
// stacked limbs that occasionally slip a little would never sleep.
void RagdollParts::updateSleep(double seconds) {
  const double fraction = std::min(seconds / kSleepAverage, 1.0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    btRigidBody& body = bodies[i]->body();
    SleepState& of = sleepStates[i];
    of.velocity += fraction * (fromBullet(body.getLinearVelocity()) - of.velocity);
    of.spin += fraction * (fromBullet(body.getAngularVelocity()) - of.spin);
    const bool still = glm::length(of.velocity) < body.getLinearSleepingThreshold() &&
                       glm::length(of.spin) < body.getAngularSleepingThreshold();
    of.seconds = still ? of.seconds + seconds : 0.0;
    if (body.isActive()) body.setDeactivationTime(of.seconds);
  }
}

void RagdollParts::after(double seconds) {
  sinceStart += seconds;
  if (reduced) reduced->after();
  updateSleep(seconds);
  if (options.solver != JointSolver::severity) return;
  const auto awake = [](const auto& body) { return body->body().isActive(); };
  if (std::none_of(bodies.begin(), bodies.end(), awake)) return;
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    rigid.push_back(rigidBody(i));
  const std::vector<SolverContact> touching = contacts();
  resolveSeverity(rigid, joints, touching, {});
  resolveVelocities(rigid, joints, touching, static_cast<double>(config.friction), {});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (falls[i] == 0) continue;
    bodies[i]->put(rigid[i].transform);
    bodies[i]->body().setLinearVelocity(toBullet(rigid[i].velocity));
    bodies[i]->body().setAngularVelocity(toBullet(rigid[i].spin));
  }
}

} // namespace sinew
