#include "physics/ragdoll.h"

#include "physics/ragdoll_parts.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinew {
namespace {

constexpr double kFadeIn = 1.0 / 3.0; // seconds in which the switch's repairs fade

// Ground and walls are passed. Bodies that follow the animation are not: Bullet calls them static
// as well, for they have no mass, but kinematic besides.
struct Ray final : btCollisionWorld::ClosestRayResultCallback {
  using ClosestRayResultCallback::ClosestRayResultCallback;
  bool needsCollision(btBroadphaseProxy* proxy) const override {
    const auto& object = *static_cast<btCollisionObject*>(proxy->m_clientObject);
    return (!object.isStaticObject() || object.isKinematicObject()) &&
           ClosestRayResultCallback::needsCollision(proxy);
  }
};

RigidTransform between(const RigidTransform& a, const RigidTransform& b, double t) {
  return {glm::mix(a.position, b.position, t),
          glm::normalize(glm::slerp(a.rotation, b.rotation, t))};
}

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

mat4 toMatrix(const RigidTransform& transform) {
  return toMatrix(
      Transform{vec3(transform.position), glm::normalize(quat(transform.rotation)), vec3(1.0f)});
}

} // namespace

Ragdoll::Ragdoll(PhysicsWorld& world, const Model& model, RagdollConfig config,
                 const RagdollPlacement& placement)
    : parts_(std::make_unique<RagdollParts>(world, model, std::move(config), placement)) {}

Ragdoll::~Ragdoll() = default;

const RagdollConfig& Ragdoll::config() const {
  return parts_->config;
}
double Ragdoll::metresPerUnit() const {
  return parts_->metresPerUnit;
}
double Ragdoll::height() const {
  return parts_->height;
}

RagdollSwitch Ragdoll::start(const Pose& before, const Pose& now, double seconds,
                             const RagdollStart& options) {
  return switchToRagdoll(*parts_, before, now, seconds, options);
}

void Ragdoll::follow(const Pose& animated) {
  followAnimation(*parts_, animated);
}

void Ragdoll::setMotorStrength(double strength) {
  RagdollParts& p = *parts_;
  p.motorStrength = strength;
  for (std::size_t j = 0; j < p.joints.size(); ++j)
    p.constraints[j]->motor.torque = strength * p.driveTorque[j];
  const bool whole =
      std::all_of(p.falls.begin(), p.falls.end(), [](char each) { return each != 0; });
  for (const auto& body : p.bodies)
    body->body().forceActivationState(whole && strength <= 0.0 ? ACTIVE_TAG : DISABLE_DEACTIVATION);
}

// One pass, parents first: a bone with a body follows it by equation 4.2, any other keeps its
// transform relative to its parent.
Pose Ragdoll::pose(double fraction) const {
  const RagdollParts& p = *parts_;
  std::vector<std::uint32_t> bodyByNode(p.hierarchy.nodes.size(), kNoNode);
  for (std::uint32_t i = 0; i < p.bodies.size(); ++i)
    if (p.falls[i] != 0) bodyByNode[p.bindings[i].node] = i;
  const double repaired = 1.0 - smooth(p.sinceStart / kFadeIn);
  Pose pose = p.base;
  std::vector<mat4> modelFromNode(pose.parentFromNode.size());
  for (std::size_t i = 0; i < modelFromNode.size(); ++i) {
    const std::uint32_t parent = p.hierarchy.nodes[i].parent;
    const mat4 modelFromParent = parent == kNoNode ? mat4(1.0f) : modelFromNode[parent];
    if (const std::uint32_t b = bodyByNode[i]; b != kNoNode) {
      const RigidTransform body = between(p.previous[b], p.bodies[b]->transform(), fraction) *
                                  between({}, p.residual[b], repaired);
      const mat4 modelFromBind = toMatrix(p.modelTransform(body) * inverse(p.bindings[b].bind));
      const mat4 wanted = modelFromBind * p.stretch[b] * glm::inverse(p.bindings[b].bindFromNode);
      pose.parentFromNode[i] = decompose(glm::inverse(modelFromParent) * wanted);
    }
    modelFromNode[i] = modelFromParent * sinew::toMatrix(pose.parentFromNode[i]);
  }
  return pose;
}

RagdollState Ragdoll::state() const {
  const RagdollParts& p = *parts_;
  RagdollState state;
  state.lowest = 1e300;
  state.resting = true;
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    rigid.push_back(p.rigidBody(i));
    const RigidBody& body = rigid.back();
    state.finite = state.finite && isFinite(body.transform.position) && isFinite(body.velocity) &&
                   isFinite(body.spin) && std::isfinite(glm::length(body.transform.rotation));
    if (p.falls[i] == 0) continue;
    state.kinetic += kineticEnergy(body);
    state.potential += static_cast<double>(p.config.bodies[i].mass) * p.options.gravity *
                       body.transform.position.y;
    state.lowest = std::min(state.lowest, p.lowestPoint(i, body.transform));
    state.fastest = std::max(state.fastest, glm::length(body.velocity));
    state.resting = state.resting && !p.bodies[i]->body().isActive();
  }
  for (const SolverJoint& joint : p.joints) {
    const RigidBody& parent = rigid[joint.parent];
    const RigidBody& child = rigid[joint.child];
    JointState each;
    if (p.falls[joint.child] != 0) {
      each.errors = jointErrors(joint.frame, parent.transform, child.transform);
      each.angles = jointAngles(joint.frame, parent.transform.rotation, child.transform.rotation);
      each.severity = severity(each.errors, joint.frame, parentFraction(parent, child));
    }
    state.joints.push_back(each);
  }
  return state;
}

RigidTransform Ragdoll::body(std::size_t index) const {
  return parts_->bodies[index]->transform();
}

std::uint64_t Ragdoll::hash() const {
  std::uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  const auto add = [&](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; ++i) {
      hash = (hash ^ (bits & 0xffu)) * 0x100000001b3u;
      bits >>= 8;
    }
  };
  for (std::size_t i = 0; i < parts_->bodies.size(); ++i) {
    const RigidBody body = parts_->rigidBody(i);
    for (int k = 0; k < 3; ++k) {
      add(body.transform.position[k]);
      add(body.velocity[k]);
      add(body.spin[k]);
    }
    for (int k = 0; k < 4; ++k)
      add(body.transform.rotation[k]);
  }
  return hash;
}

void Ragdoll::push(std::size_t body, const glm::dvec3& impulse) {
  parts_->bodies[body]->body().activate();
  parts_->bodies[body]->body().applyCentralImpulse(toBullet(impulse));
}

std::optional<RagdollHit> Ragdoll::hit(const glm::dvec3& from, const glm::dvec3& to) const {
  Ray ray(toBullet(from), toBullet(to));
  parts_->world.world.rayTest(toBullet(from), toBullet(to), ray);
  if (!ray.hasHit() || ray.m_collisionObject->getUserIndex2() != parts_->ownerIndex) return {};
  return RagdollHit{static_cast<std::size_t>(ray.m_collisionObject->getUserIndex()),
                    fromBullet(ray.m_hitPointWorld)};
}

void Ragdoll::drag(std::size_t body, const glm::dvec3& point, const glm::dvec3& target) {
  release();
  if (parts_->falls[body] == 0) return;
  btRigidBody& dragged = parts_->bodies[body]->body();
  for (const auto& each : parts_->bodies)
    each->body().activate();
  const glm::dvec3 local = inverse(parts_->bodies[body]->transform()).point(point);
  parts_->dragged = std::make_unique<btPoint2PointConstraint>(dragged, toBullet(local));
  // A spring that lifts the whole ragdoll, but does not tear its joints apart.
  parts_->dragged->m_setting.m_impulseClamp =
      4.0 * parts_->mass * parts_->options.gravity / parts_->options.stepsPerSecond;
  parts_->dragged->setParam(BT_CONSTRAINT_ERP, 0.06);
  parts_->draggedBody = body;
  if (parts_->reduced)
    parts_->reduced->drag(body, *parts_->dragged);
  else
    parts_->world.world.addConstraint(parts_->dragged.get());
  dragTo(target);
}

void Ragdoll::dragTo(const glm::dvec3& target) {
  if (!parts_->dragged) return;
  parts_->dragTarget = target;
  for (const auto& each : parts_->bodies)
    each->body().activate();
}

void Ragdoll::release() {
  if (!parts_->dragged) return;
  if (parts_->reduced)
    parts_->reduced->release();
  else
    parts_->world.world.removeConstraint(parts_->dragged.get());
  parts_->dragged.reset();
}

glm::dvec3 Ragdoll::worldFromModel(const glm::dvec3& point) const {
  return parts_->worldTransform({point}).position;
}
glm::dvec3 Ragdoll::modelFromWorld(const glm::dvec3& point) const {
  return parts_->modelTransform({point}).position;
}

Pose crossFade(const Pose& ragdoll, const Pose& animated, double t) {
  return blend(ragdoll, animated, static_cast<float>(smooth(t)));
}

} // namespace sinew
