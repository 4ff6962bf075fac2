#include "physics/reduced_bodies.h"

#include "physics/ragdoll_parts.h"
#include "physics/reduced_joint.h"
#include "physics/severity_solver.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {
namespace {

// Seconds at rest before a ragdoll sleeps, as Bullet has it for rigid bodies.
constexpr double kSleepAfter = 2.0;
// Radians beyond a limit, and metres too deep, that a step may leave.
constexpr double kLimitTolerance = 0.01;
constexpr double kDepthTolerance = 2e-4;
constexpr int kPosePasses = 4;
constexpr int kNoLink = -2; // -1 is the root

// Where Bullet's lists have a link: after the root.
std::size_t toSlot(int link) {
  const int slot = link + 1;
  return static_cast<std::size_t>(slot);
}

} // namespace

// It collides as the rigid body does whose link it is.
struct LinkCollider final : btMultiBodyLinkCollider {
  LinkCollider(btMultiBody& tree, int link, btRigidBody& of)
      : btMultiBodyLinkCollider(&tree, link), rigid(of) {
    setCollisionShape(of.getCollisionShape());
    setWorldTransform(of.getWorldTransform());
    setFriction(of.getFriction());
    setRollingFriction(of.getRollingFriction());
    setSpinningFriction(of.getSpinningFriction());
    setRestitution(of.getRestitution());
    setUserIndex(of.getUserIndex());
    setUserIndex2(of.getUserIndex2());
  }
  bool checkCollideWithOverride(const btCollisionObject* other) const override {
    const bool isLink = other->getInternalType() == CO_FEATHERSTONE_LINK; // all are of this class
    return rigid.checkCollideWith(isLink ? &static_cast<const LinkCollider*>(other)->rigid : other);
  }

  btRigidBody& rigid;
};

// One tree of links: all of the ragdoll, or what hangs on one joint of an animated body.
struct ReducedBodies::Tree {
  std::size_t base = 0;                 // the body at the root
  bool hangs = false;                   // the root is animated
  std::vector<std::size_t> ofLink;      // the body of each link
  std::vector<std::size_t> jointByLink; // the joint of each link
  std::unique_ptr<btMultiBody> body;
  std::vector<std::unique_ptr<LinkCollider>> colliders;
  ReducedForces held;
  ReducedScratch scratch;

  // -1 is the root, which counts only where it falls.
  int first() const { return hangs ? 0 : -1; }
  int end() const { return static_cast<int>(ofLink.size()); }
  std::size_t getBody(int link) const {
    return link < 0 ? base : ofLink[static_cast<std::size_t>(link)];
  }
  int findLink(std::size_t which) const {
    if (which == base) return hangs ? kNoLink : -1;
    const auto found = std::find(ofLink.begin(), ofLink.end(), which);
    return found == ofLink.end() ? kNoLink : static_cast<int>(found - ofLink.begin());
  }
};

ReducedBodies::ReducedBodies(RagdollParts& ragdoll)
    : ragdoll_(ragdoll), left_(ragdoll.bodies.size()) {
  if (ragdoll_.falls[0] != 0) addTree(0, 0);
  for (std::size_t j = 0; j < ragdoll_.joints.size(); ++j)
    if (ragdoll_.falls[ragdoll_.joints[j].child] != 0 &&
        ragdoll_.falls[ragdoll_.joints[j].parent] == 0)
      addTree(ragdoll_.joints[j].parent, j);
}

ReducedBodies::~ReducedBodies() {
  btMultiBodyDynamicsWorld& world = *ragdoll_.world.reduced;
  for (const auto& tree : trees_) {
    for (const auto& collider : tree->colliders)
      world.removeCollisionObject(collider.get());
    world.removeMultiBody(tree->body.get());
  }
}

// Joints come after those above them.
void ReducedBodies::addTree(std::size_t base, std::size_t firstJoint) {
  auto tree = std::make_unique<Tree>();
  tree->base = base;
  tree->hangs = ragdoll_.falls[base] == 0;
  for (std::size_t j = firstJoint; j < ragdoll_.joints.size(); ++j) {
    const SolverJoint& joint = ragdoll_.joints[j];
    const bool ofRoot = joint.parent == base && (!tree->hangs || j == firstJoint);
    if (!ofRoot && tree->findLink(joint.parent) < 0) continue;
    tree->ofLink.push_back(joint.child);
    tree->jointByLink.push_back(j);
  }
  const double rootMass = static_cast<double>(ragdoll_.config.bodies[base].mass);
  tree->body = std::make_unique<btMultiBody>(tree->end(), rootMass,
                                             toBullet(ragdoll_.inertia[base]), tree->hangs, true);
  // Damping is of the velocity, as that of rigid bodies; Bullet's own is of its square too.
  tree->body->setLinearDamping(0.0);
  tree->body->setAngularDamping(0.0);
  tree->body->setSleepTimeout(0.0);
  for (int link = 0; link < tree->end(); ++link)
    addLink(*tree, tree->jointByLink[static_cast<std::size_t>(link)]);
  tree->body->finalizeMultiDof();
  tree->body->setUserPointer(&tree->held);
  ragdoll_.world.reduced->addMultiBody(tree->body.get());
  tree->held.bodies.assign(toSlot(tree->end()), nullptr);
  for (int link = tree->first(); link < tree->end(); ++link)
    addCollider(*tree, link);
  takePose(*tree);
  trees_.push_back(std::move(tree));
}

void ReducedBodies::addLink(Tree& tree, std::size_t joint) {
  const SolverJoint& of = ragdoll_.joints[joint];
  const JointFrame& frame = of.frame;
  const int link = tree.findLink(of.child);
  const int parent = std::max(tree.findLink(of.parent), -1);
  const double mass = static_cast<double>(ragdoll_.config.bodies[of.child].mass);
  const btVector3 inertia = toBullet(ragdoll_.inertia[of.child]);
  const btVector3 toPivot = toBullet(frame.anchorParent);
  const btVector3 fromPivot = toBullet(-frame.anchorChild);
  if (frame.type == RagdollJointType::hinge)
    tree.body->setupRevolute(link, mass, inertia, parent, toBullet(glm::conjugate(frame.reference)),
                             toBullet(frame.axisChild), toPivot, fromPivot);
  else
    tree.body->setupSpherical(link, mass, inertia, parent, btQuaternion::getIdentity(), toPivot,
                              fromPivot);
  tree.held.joints.push_back(
      std::make_unique<ReducedJoint>(*tree.body, link, frame, ragdoll_.constraints[joint]->motor));
}

void ReducedBodies::addCollider(Tree& tree, int link) {
  btRigidBody& rigid = ragdoll_.bodies[tree.getBody(link)]->body();
  tree.colliders.push_back(std::make_unique<LinkCollider>(*tree.body, link, rigid));
  LinkCollider* collider = tree.colliders.back().get();
  tree.held.bodies[toSlot(link)] = &rigid;
  if (link < 0)
    tree.body->setBaseCollider(collider);
  else
    tree.body->getLink(link).m_collider = collider;
  ragdoll_.world.world.addCollisionObject(collider, btBroadphaseProxy::DefaultFilter,
                                          btBroadphaseProxy::AllFilter);
}

void ReducedBodies::takePose(Tree& tree) {
  tree.body->setBaseWorldTransform(ragdoll_.bodies[tree.base]->body().getWorldTransform());
  for (int link = 0; link < tree.end(); ++link) {
    const SolverJoint& joint = ragdoll_.joints[tree.jointByLink[static_cast<std::size_t>(link)]];
    const glm::dquat parent = ragdoll_.bodies[joint.parent]->transform().rotation;
    const glm::dquat child = ragdoll_.bodies[joint.child]->transform().rotation;
    if (joint.frame.type == RagdollJointType::hinge) {
      tree.body->setJointPos(link, jointAngles(joint.frame, parent, child).hinge);
      continue;
    }
    const glm::dquat relative = glm::conjugate(parent) * child;
    const double position[] = {relative.x, relative.y, relative.z, relative.w};
    tree.body->setJointPosMultiDof(link, position);
  }
  tree.body->forwardKinematics(tree.scratch.rotations, tree.scratch.origins);
  tree.body->updateCollisionObjectWorldTransforms(tree.scratch.rotations, tree.scratch.origins);
}

// With no time to pass: only for what Bullet stores about the pose.
void ReducedBodies::storePose(Tree& tree) {
  ReducedScratch& scratch = tree.scratch;
  tree.body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.0, scratch.r, scratch.v,
                                                                  scratch.m, false, false, false);
}

// The step carries the animated root to where its body is already.
void ReducedBodies::followBase(Tree& tree, double seconds) {
  const RigidTransform from = fromBullet(tree.body->getBaseWorldTransform());
  const RigidTransform to = ragdoll_.bodies[tree.base]->transform();
  tree.body->setBaseVel(toBullet((to.position - from.position) / seconds));
  tree.body->setBaseOmega(
      toBullet(rotationVector(to.rotation * glm::conjugate(from.rotation)) / seconds));
}

void ReducedBodies::damp(Tree& tree, double seconds) {
  const double linear = lostWithin(static_cast<double>(ragdoll_.config.linearDamping), seconds);
  const double angular = lostWithin(static_cast<double>(ragdoll_.config.angularDamping), seconds);
  for (const auto& collider : tree.colliders) {
    const auto which = static_cast<std::size_t>(collider->getUserIndex());
    const btMatrix3x3& world = collider->rigid.getWorldTransform().getBasis();
    const btVector3 force = -linear / seconds *
                            static_cast<double>(ragdoll_.config.bodies[which].mass) *
                            collider->rigid.getLinearVelocity();
    const btVector3 torque = -angular / seconds *
                             (world * (toBullet(ragdoll_.inertia[which]) *
                                       (world.transpose() * collider->rigid.getAngularVelocity())));
    if (collider->m_link < 0) {
      tree.body->addBaseForce(force);
      tree.body->addBaseTorque(torque);
    } else {
      tree.body->addLinkForce(collider->m_link, force);
      tree.body->addLinkTorque(collider->m_link, torque);
    }
  }
}

// The rigid bodies say whether it may sleep and when it was woken; Bullet whether it does.
void ReducedBodies::updateActivation(Tree& tree) {
  bool still = true, woken = false;
  for (const auto& collider : tree.colliders) {
    const auto which = static_cast<std::size_t>(collider->getUserIndex());
    still = still && ragdoll_.sleepStates[which].seconds > kSleepAfter;
    woken = woken || (collider->rigid.isActive() && !collider->isActive());
  }
  for (const auto& collider : tree.colliders) {
    const bool never = collider->rigid.getActivationState() == DISABLE_DEACTIVATION;
    still = still && !never && !woken;
    if (woken) ragdoll_.sleepStates[static_cast<std::size_t>(collider->getUserIndex())] = {};
    if (never)
      collider->forceActivationState(DISABLE_DEACTIVATION);
    else if (woken || collider->getActivationState() == DISABLE_DEACTIVATION)
      collider->forceActivationState(ACTIVE_TAG);
  }
  if (woken) tree.body->wakeUp();
  tree.body->setSleepThreshold(still ? BT_LARGE_FLOAT : 0.0);
}

void ReducedBodies::before(double seconds) {
  for (const auto& each : trees_) {
    Tree& tree = *each;
    bool moved = false;
    for (int link = tree.first(); link < tree.end(); ++link) {
      const std::size_t which = tree.getBody(link);
      moved = moved || !(ragdoll_.bodies[which]->body().getWorldTransform() == left_[which]);
    }
    updateActivation(tree);
    if (moved) takePose(tree);
    if (tree.hangs) followBase(tree, seconds);
    damp(tree, seconds);
  }
}

// How much deeper than allowed, metres; the row that measures it, if it is of the tree.
double ReducedBodies::measureDepth(Tree& tree, const SolverContact& contact,
                                   std::vector<btScalar>* jacobian) const {
  const btVector3 normal = toBullet(contact.normal);
  btVector3 apart(0.0, 0.0, 0.0);
  const auto add = [&](std::uint32_t body, const glm::dvec3& local, double side) {
    const int link = body == kNoNode ? kNoLink : tree.findLink(body);
    if (link == kNoLink) {
      apart += side *
               toBullet(body == kNoNode ? local : ragdoll_.bodies[body]->transform().point(local));
      return;
    }
    const btVector3 point = tree.body->localPosToWorld(link, toBullet(local));
    apart += side * point;
    if (jacobian == nullptr) return;
    std::vector<btScalar> one(jacobian->size());
    tree.body->fillConstraintJacobianMultiDof(link, point, btVector3(0.0, 0.0, 0.0), side * normal,
                                              one.data(), tree.scratch.r, tree.scratch.v,
                                              tree.scratch.m);
    for (std::size_t i = 0; i < one.size(); ++i)
      (*jacobian)[i] += one[i];
  };
  add(contact.a, contact.pointA, 1.0);
  add(contact.b, contact.pointB, -1.0);
  return -apart.dot(normal) - contact.allowed;
}

// What the iterations left beyond limits and too deep in one another is taken out of the pose,
// without speed.
void ReducedBodies::movePose(Tree& tree, const std::vector<SolverContact>& contacts) {
  const auto beyond = [](const auto& joint) { return joint->isBeyond(kLimitTolerance); };
  const auto deep = [&](const SolverContact& contact) {
    return measureDepth(tree, contact, nullptr) > kDepthTolerance;
  };
  bool moved = false;
  for (int pass = 0; pass < kPosePasses; ++pass) {
    if (std::none_of(tree.held.joints.begin(), tree.held.joints.end(), beyond) &&
        std::none_of(contacts.begin(), contacts.end(), deep))
      break;
    storePose(tree);
    moved = true;
    for (const auto& joint : tree.held.joints)
      joint->moveIntoLimits(kLimitTolerance, tree.scratch);
    for (const SolverContact& contact : contacts) {
      if (!deep(contact)) continue;
      std::vector<btScalar> jacobian(6 + static_cast<std::size_t>(tree.body->getNumDofs()), 0.0);
      const double depth = measureDepth(tree, contact, &jacobian);
      moveAlong(*tree.body, jacobian.data(), depth, tree.scratch);
    }
  }
  if (!moved) return;
  tree.body->updateCollisionObjectWorldTransforms(tree.scratch.rotations, tree.scratch.origins);
}

// The rigid bodies have the velocities of the pose that was solved; what a body has of angular
// momentum stays as it rotates.
void ReducedBodies::after() {
  const std::vector<SolverContact> contacts = ragdoll_.contacts();
  for (const auto& each : trees_) {
    Tree& tree = *each;
    if (tree.colliders.front()->isActive()) movePose(tree, contacts);
    for (const auto& collider : tree.colliders) {
      const auto which = static_cast<std::size_t>(collider->getUserIndex());
      btRigidBody& rigid = collider->rigid;
      const btTransform& transform = collider->getWorldTransform();
      const btMatrix3x3& to = transform.getBasis();
      const btMatrix3x3 from = rigid.getWorldTransform().getBasis();
      const btVector3 inertia = toBullet(ragdoll_.inertia[which]);
      const btVector3 momentum = from * (inertia * (from.transpose() * rigid.getAngularVelocity()));
      rigid.setAngularVelocity(to * ((to.transpose() * momentum) / inertia));
      rigid.setWorldTransform(transform);
      rigid.setInterpolationWorldTransform(transform);
      collider->setInterpolationLinearVelocity(rigid.getLinearVelocity());
      collider->setInterpolationAngularVelocity(rigid.getAngularVelocity());
      rigid.forceActivationState(collider->getActivationState());
      left_[which] = transform;
    }
  }
}

void ReducedBodies::drag(std::size_t body, const btPoint2PointConstraint& as) {
  release();
  for (const auto& tree : trees_)
    if (const int link = tree->findLink(body); link != kNoLink)
      tree->held.drag =
          ReducedDrag{link, as.getPivotInA(), as.getPivotInB(), as.m_setting.m_impulseClamp};
}

void ReducedBodies::dragTo(const btVector3& target) {
  for (const auto& tree : trees_)
    if (tree->held.drag) tree->held.drag->target = target;
}

void ReducedBodies::release() {
  for (const auto& tree : trees_)
    tree->held.drag.reset();
}

} // namespace sinew
