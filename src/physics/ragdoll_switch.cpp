// From animation to simulation: places, velocities, and what of the bodies follows or is driven.
#include "core/error.h"
#include "physics/ragdoll_parts.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kMostScale = 2.0; // of velocities at the switch

} // namespace

RagdollSwitch Ragdoll::Parts::start(const Pose& before, const Pose& now, double seconds,
                                    const RagdollStart& how) {
  chooseFalling(how.partial);
  powered = how.powered;
  sinceStart = 0.0;
  const std::vector<BodyPlace> animatedBefore = animatedPlaces(before);
  const std::vector<BodyPlace> animated = animatedPlaces(now);
  std::vector<BodyPlace> placedBefore = joined(animatedBefore);
  std::vector<BodyPlace> placed = joined(animated);
  RagdollSwitch report;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    report.moved = std::max(report.moved, glm::length(placed[i].position - animated[i].position));
    report.turned = std::max(
        report.turned,
        glm::length(rotationVector(placed[i].rotation * glm::conjugate(animated[i].rotation))));
    if (falls[i] != 0 && how.partial.empty() && options.ground)
      report.lifted = std::max(report.lifted, -lowestPoint(i, placed[i]));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    placed[i].position.y += report.lifted;
    placedBefore[i].position.y += report.lifted;
  }
  keepResiduals(now, animated, placed);
  enterWorld(placedBefore, placed, seconds);
  drive(animated);
  report.animationEnergy = animationEnergy(animatedBefore, animated, seconds);
  report.jointedEnergy = energy();
  report.speedScale = keepEnergy(report.animationEnergy);
  report.bodiesEnergy = energy();
  return report;
}

void Ragdoll::Parts::chooseFalling(const std::string& partial) {
  falls.assign(bodies.size(), partial.empty() ? 1 : 0);
  if (partial.empty()) return;
  std::vector<std::string> names;
  bool found = false;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const RagdollBody& body = config.bodies[i];
    names.push_back(body.bone);
    const bool carries = body.bone == partial || std::find(body.merged.begin(), body.merged.end(),
                                                           partial) != body.merged.end();
    if (!carries) continue;
    falls[i] = 1;
    found = true;
  }
  if (!found) throw unknownName("body", partial, names);
  for (const SolverJoint& joint : joints)
    if (falls[joint.parent] != 0) falls[joint.child] = 1;
}

std::vector<BodyPlace> Ragdoll::Parts::animatedPlaces(const Pose& pose) const {
  const std::vector<mat4> modelFromNode = modelFromNodes(hierarchy, pose);
  std::vector<BodyPlace> places;
  for (const BodyBinding& binding : bindings)
    places.push_back(worldPlace(placeOf(binding, modelFromNode)));
  return places;
}

// The places brought together at the joints and within their limits: animations stretch bones and
// twist elbows, rigid bodies on joints cannot. First by the paper's solver, which shares an error
// among neighbours (a forearm that twists turns its upper arm too), then parents first, exactly.
std::vector<BodyPlace> Ragdoll::Parts::joined(std::vector<BodyPlace> places) const {
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < places.size(); ++i) {
    rigid.push_back(rigidBody(i));
    rigid.back().place = places[i];
  }
  resolveSeverity(rigid, joints, {}, {.iterations = 4000, .tolerance = 1e-9});
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = rigid[i].place;
  for (const SolverJoint& joint : joints) {
    if (falls[joint.child] == 0) continue;
    const BodyPlace& parent = places[joint.parent];
    BodyPlace& child = places[joint.child];
    child.rotation = glm::normalize(allowedRotation(joint.frame, parent.rotation, child.rotation));
    child.position =
        parent.point(joint.frame.anchorParent) - child.rotation * joint.frame.anchorChild;
  }
  return places;
}

// Six points on the principal axes have the mass and the inertia of the body; each goes straight
// from where the one pose puts it to where the other does.
double Ragdoll::Parts::animationEnergy(const std::vector<BodyPlace>& before,
                                       const std::vector<BodyPlace>& now, double seconds) const {
  double energy = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (falls[i] == 0) continue;
    const auto bodyMass = static_cast<double>(config.bodies[i].mass);
    const double half = 0.5 * (inertia[i].x + inertia[i].y + inertia[i].z);
    for (int axis = 0; axis < 3; ++axis) {
      // Of the mass's second moment along the axis.
      const double moment = std::max(half - inertia[i][axis], 0.0);
      glm::dvec3 point(0.0);
      point[axis] = std::sqrt(3.0 * moment / bodyMass);
      for (const double side : {-1.0, 1.0}) {
        const glm::dvec3 way = now[i].point(side * point) - before[i].point(side * point);
        energy += 0.5 * bodyMass / 6.0 * glm::dot(way, way) / (seconds * seconds);
      }
    }
  }
  return energy;
}

void Ragdoll::Parts::keepResiduals(const Pose& now, const std::vector<BodyPlace>& animated,
                                   const std::vector<BodyPlace>& placed) {
  base = now;
  const std::vector<mat4> modelFromNode = modelFromNodes(hierarchy, now);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    residual[i] = inverse(placed[i]) * animated[i];
    const BodyPlace rigid = modelPlace(animated[i]) * inverse(bindings[i].bind);
    const mat4 modelFromBind =
        matrixOf(Transform{vec3(rigid.position), glm::normalize(quat(rigid.rotation)), vec3(1.0f)});
    stretch[i] =
        glm::inverse(modelFromBind) * modelFromNode[bindings[i].node] * bindings[i].bindFromNode;
  }
}

void Ragdoll::Parts::enterWorld(const std::vector<BodyPlace>& before,
                                const std::vector<BodyPlace>& now, double seconds) {
  const bool whole = std::all_of(falls.begin(), falls.end(), [](char each) { return each != 0; });
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    btRigidBody& body = bodies[i]->body();
    // Bullet files fixed and falling bodies apart when they come in.
    world.world.removeRigidBody(&body);
    const bool falling = falls[i] != 0;
    const int kinematic = btCollisionObject::CF_KINEMATIC_OBJECT;
    body.setCollisionFlags(falling ? body.getCollisionFlags() & ~kinematic
                                   : body.getCollisionFlags() | kinematic);
    body.setMassProps(falling ? static_cast<double>(config.bodies[i].mass) : 0.0,
                      falling ? toBullet(inertia[i]) : btVector3(0.0, 0.0, 0.0));
    body.updateInertiaTensor();
    bodies[i]->put(now[i]);
    body.clearForces();
    body.setLinearVelocity(toBullet((now[i].position - before[i].position) / seconds));
    body.setAngularVelocity(
        toBullet(rotationVector(now[i].rotation * glm::conjugate(before[i].rotation)) / seconds));
    // What is driven or hangs on an animation does not come to rest while that goes on.
    body.forceActivationState(whole && powered <= 0.0 ? ACTIVE_TAG : DISABLE_DEACTIVATION);
    body.setDeactivationTime(0.0);
    world.world.addRigidBody(&body);
    body.setGravity(world.world.getGravity());
    body.updateInertiaTensor();
    previous[i] = now[i];
  }
  for (const auto& joint : constraints)
    for (const auto& part : joint->parts)
      part->forget();
}

double Ragdoll::Parts::energy() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    sum += kineticEnergy(rigidBody(i));
  return sum;
}

// What joints take from the animation's movement, all bodies get back in proportion. Within bounds:
// a movement the joints do not have at all is not made up for by another.
double Ragdoll::Parts::keepEnergy(double animated) {
  const double jointed = energy();
  if (!(jointed > 0.0)) return 1.0;
  const double scale = std::clamp(std::sqrt(animated / jointed), 1.0 / kMostScale, kMostScale);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (falls[i] == 0) continue;
    btRigidBody& body = bodies[i]->body();
    body.setLinearVelocity(scale * body.getLinearVelocity());
    body.setAngularVelocity(scale * body.getAngularVelocity());
  }
  return scale;
}

void Ragdoll::Parts::follow(const Pose& animated) {
  base = animated;
  const std::vector<BodyPlace> places = animatedPlaces(animated);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (falls[i] == 0) bodies[i]->body().setWorldTransform(toBullet(places[i]));
  drive(places);
}

void Ragdoll::Parts::drive(const std::vector<BodyPlace>& animated) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    JointMotor& motor = constraints[j]->motor;
    motor.torque = powered * driveTorque[j];
    motor.target.reset();
    if (!(powered > 0.0)) continue;
    const glm::dquat& parent = animated[joints[j].parent].rotation;
    const glm::dquat& child = animated[joints[j].child].rotation;
    motor.target = glm::conjugate(parent) * allowedRotation(joints[j].frame, parent, child);
  }
}

} // namespace sinew
