// From animation to simulation: places, velocities, and what of the bodies follows or is driven.
#include "core/error.h"
#include "physics/ragdoll_parts.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sinew {
namespace {

constexpr double kMostScale = 2.0; // of velocities at the switch
// Faster than this an animation does not move its bodies but jumps: metres, radians a second.
constexpr double kJump = 12.0;
constexpr double kJumpTurn = 40.0;

} // namespace

RagdollSwitch Ragdoll::Parts::start(const Pose& before, const Pose& now, double seconds,
                                    const RagdollStart& how) {
  chooseFalling(how.partial);
  powered = how.powered;
  sinceStart = 0.0;
  const std::vector<BodyPlace> animatedBefore = animatedPlaces(before);
  const std::vector<BodyPlace> animated = animatedPlaces(now);
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
  for (BodyPlace& place : placed)
    place.position.y += report.lifted;
  keepResiduals(now, animated, placed);
  enterWorld(jointedMovement(animatedBefore, animated, placed, seconds));
  findEntangled();
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
  const auto top = findNode(hierarchy, partial);
  const auto below = [&](std::uint32_t node) {
    while (node != kNoNode && node != top)
      node = hierarchy.nodes[node].parent;
    return node != kNoNode;
  };
  std::vector<std::string> names;
  std::vector<std::size_t> carrying;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const RagdollBody& body = config.bodies[i];
    names.push_back(body.bone);
    falls[i] = top && below(bindings[i].node) ? 1 : 0;
    if (std::find(body.merged.begin(), body.merged.end(), partial) != body.merged.end())
      carrying.push_back(i);
  }
  // A small bone with no body of its own, nor below it: what carries it.
  if (std::find(falls.begin(), falls.end(), 1) == falls.end())
    for (const std::size_t i : carrying)
      falls[i] = 1;
  if (std::find(falls.begin(), falls.end(), 1) == falls.end())
    throw unknownName("body", partial, names);
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

// The bodies where they are placed, with what the joints leave of the animation's velocities:
// joints take by impulses, so the movement is the nearest to the animation's, by mass, that they
// have. (The difference of two poses brought together is not: where a pose is far from what joints
// allow, a small change of the one is a large change of the other.)
std::vector<RigidBody> Ragdoll::Parts::jointedMovement(const std::vector<BodyPlace>& before,
                                                       const std::vector<BodyPlace>& now,
                                                       const std::vector<BodyPlace>& placed,
                                                       double seconds) const {
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RigidBody body = rigidBody(i);
    body.place = placed[i];
    body.velocity = (now[i].position - before[i].position) / seconds;
    body.spin = rotationVector(now[i].rotation * glm::conjugate(before[i].rotation)) / seconds;
    rigid.push_back(body);
  }
  resolveVelocities(rigid, joints, {}, 0.0, {.iterations = 4000, .speedTolerance = 1e-6});
  return rigid;
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

void Ragdoll::Parts::enterWorld(const std::vector<RigidBody>& rigid) {
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
    bodies[i]->put(rigid[i].place);
    body.clearForces();
    body.setLinearVelocity(toBullet(rigid[i].velocity));
    body.setAngularVelocity(toBullet(rigid[i].spin));
    // What is driven or hangs on an animation does not come to rest while that goes on.
    body.forceActivationState(whole && powered <= 0.0 ? ACTIVE_TAG : DISABLE_DEACTIVATION);
    body.setDeactivationTime(0.0);
    calm[i] = {};
    world.world.addRigidBody(&body);
    body.setGravity(world.world.getGravity());
    body.updateInertiaTensor();
    previous[i] = rigid[i].place;
  }
  for (const auto& joint : constraints)
    for (const auto& part : joint->parts)
      part->forget();
}

// Animations put limbs into one another: pushed apart at once, against their joints, they would
// fly.
void Ragdoll::Parts::findEntangled() {
  for (const auto& [a, b] : std::exchange(entangled, {}))
    letTouch(a, b, true);
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (!bodies[a]->body().checkCollideWith(&bodies[b]->body()) || !overlap(a, b)) continue;
      letTouch(a, b, false);
      entangled.emplace_back(a, b);
    }
}

void Ragdoll::Parts::disentangle() {
  std::erase_if(entangled, [&](const auto& pair) {
    if (overlap(pair.first, pair.second)) return false;
    letTouch(pair.first, pair.second, true);
    return true;
  });
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
  carryAlong(places);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (falls[i] == 0) bodies[i]->body().setWorldTransform(toBullet(places[i]));
  drive(places);
}

// Where the animation jumps (at the end of a loop, to another moment), what hangs on it comes along
// as it hangs: pulled after, it would be torn from its joint. Parents stand before their children.
void Ragdoll::Parts::carryAlong(const std::vector<BodyPlace>& animated) {
  std::vector<std::optional<BodyPlace>> carry(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (falls[i] != 0) continue;
    const BodyPlace way = animated[i] * inverse(bodies[i]->place());
    const double turned = glm::length(rotationVector(way.rotation));
    const double moved = glm::length(animated[i].position - bodies[i]->place().position);
    if (std::max(moved / kJump, turned / kJumpTurn) * options.stepsPerSecond < 1.0) continue;
    bodies[i]->put(animated[i]); // at rest: no speed comes of it
    carry[i] = way;
  }
  for (const SolverJoint& joint : joints) {
    if (falls[joint.child] == 0 || !carry[joint.parent]) continue;
    const BodyPlace& way = *(carry[joint.child] = carry[joint.parent]);
    btRigidBody& body = bodies[joint.child]->body();
    bodies[joint.child]->put(way * bodies[joint.child]->place());
    body.setLinearVelocity(toBullet(way.rotation * fromBullet(body.getLinearVelocity())));
    body.setAngularVelocity(toBullet(way.rotation * fromBullet(body.getAngularVelocity())));
  }
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
