#include "physics/ragdoll_parts.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A body turns about its thinnest axis at least this hard against its hardest: what is nearly a
// line has next to no inertia about itself, and solvers shiver.
constexpr double kLeastInertia = 0.25;
// And this hard against what it hangs on: a foot has to bear a body.
constexpr double kLeastOfParent = 0.3;
// Bodies that overlap by more than this in the bind pose never collide, metres; those that do at
// the switch not until they are apart.
constexpr double kOverlap = 0.004;
// Seconds over which movement is taken together to tell rest by.
constexpr double kCalmOver = 0.2;
// Metres by which a dragged point is led at most.
constexpr double kDragReach = 0.15;
// A drive's torque at strength 1: of what holds the limb out, and of what stands on it.
constexpr double kDriveOfHolding = 3.0;
constexpr double kDriveOfWeight = 0.25;

// Depth of a contact that the severity solver leaves alone, metres, and the share of what is deeper
// that it takes back in a step.
constexpr double kSlop = 5e-4;
constexpr double kTakeBack = 0.1;

double allowedDepth(double depth) {
  return depth <= kSlop ? std::max(depth, 0.0) : depth - kTakeBack * (depth - kSlop);
}

std::unique_ptr<btCollisionShape> shapeOf(const RagdollBody& body, double metresPerUnit) {
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

Ragdoll::Parts::Parts(PhysicsWorld& into, const Model& model, RagdollConfig with,
                      const RagdollPlacement& where)
    : world(*into.parts_), options(into.options()), config(std::move(with)), placement(where),
      hierarchy(model.hierarchy) {
  checkRagdoll(model, config, model.path.empty() ? model.name : model.path);
  bindings = bindBodies(model, config.bodies);
  ownerIndex = world.nextOwner++;
  const RagdollSize size = sizeOf(config.bodies);
  metresPerUnit = static_cast<double>(config.metres) / size.longest;
  height = size.height * metresPerUnit;
  addBodies(config);
  addJoints();
  ignoreNeighbours();
  findTorques();
  falls.assign(bodies.size(), 1);
  calm.resize(bodies.size());
  base = bindPose(model);
  for (const auto& body : bodies)
    previous.push_back(body->place());
  residual.assign(bodies.size(), {});
  stretch.assign(bodies.size(), mat4(1.0f));
  world.members.push_back({this, [this](double seconds) { before(seconds); },
                           [this](double seconds) { after(seconds); }});
}

Ragdoll::Parts::~Parts() {
  std::erase_if(world.members, [&](const auto& member) { return member.owner == this; });
  if (dragged) world.world.removeConstraint(dragged.get());
}

void Ragdoll::Parts::addBodies(const RagdollConfig& with) {
  for (std::size_t i = 0; i < with.bodies.size(); ++i) {
    auto shape = shapeOf(with.bodies[i], metresPerUnit);
    const auto bodyMass = static_cast<double>(with.bodies[i].mass);
    btVector3 local;
    shape->calculateLocalInertia(bodyMass, local);
    const double most = std::max({local.x(), local.y(), local.z()});
    const double least = std::max(kLeastInertia * most, kLeastOfParent * parentInertia(i));
    inertia.push_back(glm::max(fromBullet(local), glm::dvec3(least)));
    mass += bodyMass;
    bodies.push_back(std::make_unique<WorldBody>(world.world, std::move(shape), bodyMass,
                                                 inertia.back(), worldPlace(bindings[i].bind)));
    btRigidBody& body = bodies.back()->body();
    body.setUserIndex(static_cast<int>(i)); // for contacts()
    body.setUserIndex2(ownerIndex);
    body.setFriction(static_cast<double>(with.friction));
    body.setRollingFriction(0.03);
    body.setSpinningFriction(0.03);
    body.setDamping(static_cast<double>(with.linearDamping),
                    static_cast<double>(with.angularDamping));
    body.setSleepingThresholds(0.12, 0.6);
  }
}

std::uint32_t Ragdoll::Parts::indexOf(const std::string& bone) const {
  const auto found = std::find_if(config.bodies.begin(), config.bodies.end(),
                                  [&](const RagdollBody& body) { return body.bone == bone; });
  return static_cast<std::uint32_t>(found - config.bodies.begin());
}

// The greatest principal inertia of what a body hangs on; joints stand in the order of the bodies.
double Ragdoll::Parts::parentInertia(std::size_t body) const {
  if (body == 0) return 0.0;
  const glm::dvec3& parent = inertia[indexOf(config.joints[body - 1].parent)];
  return std::max({parent.x, parent.y, parent.z});
}

void Ragdoll::Parts::addJoints() {
  for (const RagdollJoint& joint : config.joints) {
    const std::uint32_t parent = indexOf(joint.parent);
    const std::uint32_t child = indexOf(joint.child);
    joints.push_back(
        {jointFrame(joint, bodies[parent]->place(), bodies[child]->place(), metresPerUnit), parent,
         child});
    constraints.push_back(std::make_unique<BulletJoint>(world.world, bodies[parent]->body(),
                                                        bodies[child]->body(), joints.back().frame,
                                                        options.solver == JointSolver::bullet));
  }
}

bool Ragdoll::Parts::overlap(std::size_t a, std::size_t b) const {
  Deepest deepest;
  world.world.contactPairTest(&bodies[a]->body(), &bodies[b]->body(), deepest);
  return deepest.distance < -kOverlap;
}

void Ragdoll::Parts::letTouch(std::size_t a, std::size_t b, bool on) {
  bodies[a]->body().setIgnoreCollisionCheck(&bodies[b]->body(), !on);
  bodies[b]->body().setIgnoreCollisionCheck(&bodies[a]->body(), !on);
}

// Parent and child, siblings, and what overlaps where the joints are made: these touch by nature.
void Ragdoll::Parts::ignoreNeighbours() {
  std::vector<std::uint32_t> parent(bodies.size(), kNoNode);
  for (const SolverJoint& joint : joints)
    parent[joint.child] = joint.parent;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool off = parent[i] == j || parent[j] == i || (parent[i] == parent[j]);
      if (off || overlap(i, j)) letTouch(i, j, false);
    }
}

void Ragdoll::Parts::findTorques() {
  std::vector<double> below(bodies.size());
  std::vector<glm::dvec3> center(bodies.size()); // times mass
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    below[i] = static_cast<double>(config.bodies[i].mass);
    center[i] = below[i] * bodies[i]->place().position;
  }
  holdingTorque.resize(joints.size());
  driveTorque.resize(joints.size());
  for (std::size_t j = joints.size(); j-- > 0;) { // children come after their parents
    const SolverJoint& joint = joints[j];
    const glm::dvec3 anchor = bodies[joint.child]->place().point(joint.frame.anchorChild);
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

BodyPlace Ragdoll::Parts::worldPlace(const BodyPlace& model) const {
  return {placement.at + metresPerUnit * (model.position - placement.origin), model.rotation};
}

BodyPlace Ragdoll::Parts::modelPlace(const BodyPlace& place) const {
  return {placement.origin + (place.position - placement.at) / metresPerUnit, place.rotation};
}

double Ragdoll::Parts::lowestPoint(std::size_t body, const BodyPlace& place) const {
  return place.position.y - metresPerUnit * reachOf(config.bodies[body], place.rotation).y;
}

RigidBody Ragdoll::Parts::rigidBody(std::size_t index) const {
  const btRigidBody& body = bodies[index]->body();
  RigidBody rigid;
  rigid.place = bodies[index]->place();
  rigid.velocity = fromBullet(body.getLinearVelocity());
  rigid.spin = fromBullet(body.getAngularVelocity());
  if (falls[index] != 0) {
    rigid.inverseMass = 1.0 / static_cast<double>(config.bodies[index].mass);
    rigid.inverseInertia = 1.0 / inertia[index];
  }
  return rigid;
}

void Ragdoll::Parts::before(double seconds) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    previous[i] = bodies[i]->place();
  for (const auto& joint : constraints)
    for (const auto& part : joint->parts)
      part->warmStart(seconds);
  if (dragged) pull();
  if (!entangled.empty()) disentangle();
}

// A far target is no stronger a pull than a near one, or the body would be shot at it.
void Ragdoll::Parts::pull() {
  const glm::dvec3 point = bodies[draggedBody]->place().point(fromBullet(dragged->getPivotInA()));
  const glm::dvec3 way = dragTarget - point;
  const double share = std::min(1.0, kDragReach / std::max(glm::length(way), 1e-9));
  dragged->setPivotB(toBullet(point + share * way));
}

// What Bullet found to touch one of the bodies. Of the depth it had before the step a share is to
// be gone after: with the joints, or they would push back in what Bullet takes out.
std::vector<SolverContact> Ragdoll::Parts::contacts() const {
  const auto bodyOf = [&](const btCollisionObject* object) {
    const int index = object->getUserIndex2() == ownerIndex ? object->getUserIndex() : -1;
    return index < 0 ? kNoNode : static_cast<std::uint32_t>(index);
  };
  std::vector<SolverContact> out;
  const auto found = world.touching.find(ownerIndex);
  if (found == world.touching.end()) return out;
  for (const btPersistentManifold* each : found->second) {
    const btPersistentManifold& manifold = *each;
    const std::uint32_t a = bodyOf(manifold.getBody0());
    const std::uint32_t b = bodyOf(manifold.getBody1());
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

// A body rests when nothing comes of its movement. Bullet asks whether it moves: stacked limbs that
// slip by a hair now and then would never sleep.
void Ragdoll::Parts::findCalm(double seconds) {
  const double share = std::min(seconds / kCalmOver, 1.0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    btRigidBody& body = bodies[i]->body();
    Calm& of = calm[i];
    of.velocity += share * (fromBullet(body.getLinearVelocity()) - of.velocity);
    of.spin += share * (fromBullet(body.getAngularVelocity()) - of.spin);
    const bool still = glm::length(of.velocity) < body.getLinearSleepingThreshold() &&
                       glm::length(of.spin) < body.getAngularSleepingThreshold();
    of.seconds = still ? of.seconds + seconds : 0.0;
    if (body.isActive()) body.setDeactivationTime(of.seconds);
  }
}

void Ragdoll::Parts::after(double seconds) {
  sinceStart += seconds;
  findCalm(seconds);
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
    bodies[i]->put(rigid[i].place);
    bodies[i]->body().setLinearVelocity(toBullet(rigid[i].velocity));
    bodies[i]->body().setAngularVelocity(toBullet(rigid[i].spin));
  }
}

} // namespace sinew
