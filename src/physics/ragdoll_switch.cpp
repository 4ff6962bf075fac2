
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

constexpr double kMaxScale = 2.0; // for velocities at the switch
// A faster motion of the animation is a jump: metres, radians a second.
constexpr double kJump = 12.0;
constexpr double kJumpRotation = 40.0;

void chooseFalling(RagdollParts& p, const std::string& partial) {
  p.falls.assign(p.bodies.size(), partial.empty() ? 1 : 0);
  if (partial.empty()) return;
  const auto top = findNode(p.hierarchy, partial);
  const auto below = [&](std::uint32_t node) {
    while (node != kNoNode && node != top)
      node = p.hierarchy.nodes[node].parent;
    return node != kNoNode;
  };
  std::vector<std::string> names;
  std::vector<std::size_t> containing;
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    const RagdollBody& body = p.config.bodies[i];
    names.push_back(body.bone);
    p.falls[i] = top && below(p.bindings[i].node) ? 1 : 0;
    if (std::find(body.merged.begin(), body.merged.end(), partial) != body.merged.end())
      containing.push_back(i);
  }
  // A small bone without a body of its own or below it: the body that contains it.
  if (std::find(p.falls.begin(), p.falls.end(), 1) == p.falls.end())
    for (const std::size_t i : containing)
      p.falls[i] = 1;
  if (std::find(p.falls.begin(), p.falls.end(), 1) == p.falls.end())
    throw unknownName("body", partial, names);
  for (const SolverJoint& joint : p.joints)
    if (p.falls[joint.parent] != 0) p.falls[joint.child] = 1;
}

std::vector<RigidTransform> animatedTransforms(const RagdollParts& p, const Pose& pose) {
  const std::vector<mat4> modelFromNode = modelFromNodes(p.hierarchy, pose);
  std::vector<RigidTransform> transforms;
  for (const BodyBinding& binding : p.bindings)
    transforms.push_back(p.worldTransform(bodyTransform(binding, modelFromNode)));
  return transforms;
}

// Moved together at the joints and into their limits: animations stretch bones and twist elbows,
// which rigid bodies on joints cannot. First by the paper's solver, which distributes an error
// among neighbours (a forearm that twists rotates its upper arm too), then parents first, exactly.
std::vector<RigidTransform> joined(const RagdollParts& p, std::vector<RigidTransform> transforms) {
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    rigid.push_back(p.rigidBody(i));
    rigid.back().transform = transforms[i];
  }
  resolveSeverity(rigid, p.joints, {}, {.iterations = 4000, .tolerance = 1e-9});
  for (std::size_t i = 0; i < transforms.size(); ++i)
    transforms[i] = rigid[i].transform;
  for (const SolverJoint& joint : p.joints) {
    if (p.falls[joint.child] == 0) continue;
    const RigidTransform& parent = transforms[joint.parent];
    RigidTransform& child = transforms[joint.child];
    child.rotation = glm::normalize(allowedRotation(joint.frame, parent.rotation, child.rotation));
    child.position =
        parent.point(joint.frame.anchorParent) - child.rotation * joint.frame.anchorChild;
  }
  return transforms;
}

// The bodies as placed, with the part of the animation's velocities that the joints allow: impulses
// remove the rest, so the motion is the nearest to the animation's, by mass. (The difference of
// two joined poses is not: where a pose is far from what joints allow, a small change of the one is
// a large change of the other.)
std::vector<RigidBody> jointedMotion(const RagdollParts& p,
                                     const std::vector<RigidTransform>& before,
                                     const std::vector<RigidTransform>& now,
                                     const std::vector<RigidTransform>& placed, double seconds) {
  std::vector<RigidBody> rigid;
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    RigidBody body = p.rigidBody(i);
    body.transform = placed[i];
    body.velocity = (now[i].position - before[i].position) / seconds;
    body.spin = rotationVector(now[i].rotation * glm::conjugate(before[i].rotation)) / seconds;
    rigid.push_back(body);
  }
  resolveVelocities(rigid, p.joints, {}, 0.0, {.iterations = 4000, .speedTolerance = 1e-6});
  return rigid;
}

// Six points on the principal axes have the mass and the inertia of the body; each moves straight
// from its position in the one pose to that in the other.
double animationEnergy(const RagdollParts& p, const std::vector<RigidTransform>& before,
                       const std::vector<RigidTransform>& now, double seconds) {
  double energy = 0.0;
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    if (p.falls[i] == 0) continue;
    const auto bodyMass = static_cast<double>(p.config.bodies[i].mass);
    const double half = 0.5 * (p.inertia[i].x + p.inertia[i].y + p.inertia[i].z);
    for (int axis = 0; axis < 3; ++axis) {
      // The mass's second moment along the axis.
      const double moment = std::max(half - p.inertia[i][axis], 0.0);
      glm::dvec3 point(0.0);
      point[axis] = std::sqrt(3.0 * moment / bodyMass);
      for (const double side : {-1.0, 1.0}) {
        const glm::dvec3 path = now[i].point(side * point) - before[i].point(side * point);
        energy += 0.5 * bodyMass / 6.0 * glm::dot(path, path) / (seconds * seconds);
      }
    }
  }
  return energy;
}

void storeResiduals(RagdollParts& p, const Pose& now, const std::vector<RigidTransform>& animated,
                    const std::vector<RigidTransform>& placed) {
  p.base = now;
  const std::vector<mat4> modelFromNode = modelFromNodes(p.hierarchy, now);
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    p.residual[i] = inverse(placed[i]) * animated[i];
    const RigidTransform rigid = p.modelTransform(animated[i]) * inverse(p.bindings[i].bind);
    const mat4 modelFromBind =
        toMatrix(Transform{vec3(rigid.position), glm::normalize(quat(rigid.rotation)), vec3(1.0f)});
    p.stretch[i] = glm::inverse(modelFromBind) * modelFromNode[p.bindings[i].node] *
                   p.bindings[i].bindFromNode;
  }
}

void enterWorld(RagdollParts& p, const std::vector<RigidBody>& rigid) {
  const bool whole =
      std::all_of(p.falls.begin(), p.falls.end(), [](char each) { return each != 0; });
  p.reduced.reset();
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    btRigidBody& body = p.bodies[i]->body();
    // Bullet sorts fixed and falling bodies when they are added.
    p.world.world.removeRigidBody(&body);
    const bool falling = p.falls[i] != 0;
    const int kinematic = btCollisionObject::CF_KINEMATIC_OBJECT;
    body.setCollisionFlags(falling ? body.getCollisionFlags() & ~kinematic
                                   : body.getCollisionFlags() | kinematic);
    body.setMassProps(falling ? static_cast<double>(p.config.bodies[i].mass) : 0.0,
                      falling ? toBullet(p.inertia[i]) : btVector3(0.0, 0.0, 0.0));
    body.updateInertiaTensor();
    p.bodies[i]->put(rigid[i].transform);
    body.clearForces();
    body.setLinearVelocity(toBullet(rigid[i].velocity));
    body.setAngularVelocity(toBullet(rigid[i].spin));
    // What is driven by an animation or attached to it does not come to rest while it plays.
    body.forceActivationState(whole && p.motorStrength <= 0.0 ? ACTIVE_TAG : DISABLE_DEACTIVATION);
    body.setDeactivationTime(0.0);
    p.sleepStates[i] = {};
    p.world.world.addRigidBody(&body);
    body.setGravity(p.world.world.getGravity());
    body.updateInertiaTensor();
    p.previous[i] = rigid[i].transform;
  }
  for (const auto& joint : p.constraints)
    for (const auto& part : joint->parts)
      part->forget();
  p.enterReduced();
}

// Limbs overlap in animations: pushed apart at once, against their joints, they would fly.
void findOverlapping(RagdollParts& p) {
  for (const auto& [a, b] : std::exchange(p.initiallyOverlapping, {}))
    p.setCollision(a, b, true);
  for (std::size_t a = 0; a < p.bodies.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (!p.bodies[a]->body().checkCollideWith(&p.bodies[b]->body()) || !p.overlap(a, b)) continue;
      p.setCollision(a, b, false);
      p.initiallyOverlapping.emplace_back(a, b);
    }
}

// Scales all velocities so that the energy that joints removed from the animation's motion is
// restored. The scale is bounded: a motion that the joints do not allow at all is not replaced.
double scaleToEnergy(RagdollParts& p, double animated) {
  const double jointed = p.kineticEnergyOfAll();
  if (!(jointed > 0.0)) return 1.0;
  const double scale = std::clamp(std::sqrt(animated / jointed), 1.0 / kMaxScale, kMaxScale);
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    if (p.falls[i] == 0) continue;
    btRigidBody& body = p.bodies[i]->body();
    body.setLinearVelocity(scale * body.getLinearVelocity());
    body.setAngularVelocity(scale * body.getAngularVelocity());
  }
  return scale;
}

// Where the animation jumps (at the end of a loop, to another moment), what is attached to it moves
// with it: pulled behind, it would be torn from its joint. Parents come before their children.
void carryAlong(RagdollParts& p, const std::vector<RigidTransform>& animated) {
  std::vector<std::optional<RigidTransform>> carry(p.bodies.size());
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    if (p.falls[i] != 0) continue;
    const RigidTransform jump = animated[i] * inverse(p.bodies[i]->transform());
    const double turned = glm::length(rotationVector(jump.rotation));
    const double moved = glm::length(animated[i].position - p.bodies[i]->transform().position);
    if (std::max(moved / kJump, turned / kJumpRotation) * p.options.stepsPerSecond < 1.0) continue;
    p.bodies[i]->put(animated[i]); // at rest
    carry[i] = jump;
  }
  for (const SolverJoint& joint : p.joints) {
    if (p.falls[joint.child] == 0 || !carry[joint.parent]) continue;
    const RigidTransform& jump = *(carry[joint.child] = carry[joint.parent]);
    btRigidBody& body = p.bodies[joint.child]->body();
    p.bodies[joint.child]->put(jump * p.bodies[joint.child]->transform());
    body.setLinearVelocity(toBullet(jump.rotation * fromBullet(body.getLinearVelocity())));
    body.setAngularVelocity(toBullet(jump.rotation * fromBullet(body.getAngularVelocity())));
  }
}

void drive(RagdollParts& p, const std::vector<RigidTransform>& animated) {
  for (std::size_t j = 0; j < p.joints.size(); ++j) {
    JointMotor& motor = p.constraints[j]->motor;
    motor.torque = p.motorStrength * p.driveTorque[j];
    motor.target.reset();
    if (!(p.motorStrength > 0.0)) continue;
    const glm::dquat& parent = animated[p.joints[j].parent].rotation;
    const glm::dquat& child = animated[p.joints[j].child].rotation;
    motor.target = glm::conjugate(parent) * allowedRotation(p.joints[j].frame, parent, child);
  }
}

} // namespace

RagdollSwitch switchToRagdoll(RagdollParts& p, const Pose& before, const Pose& now, double seconds,
                              const RagdollStart& how) {
  chooseFalling(p, how.partial);
  p.motorStrength = how.motorStrength;
  p.sinceStart = 0.0;
  p.topple = {};
  const std::vector<RigidTransform> animatedBefore = animatedTransforms(p, before);
  const std::vector<RigidTransform> animated = animatedTransforms(p, now);
  std::vector<RigidTransform> placed = joined(p, animated);
  RagdollSwitch report;
  for (std::size_t i = 0; i < p.bodies.size(); ++i) {
    report.moved = std::max(report.moved, glm::length(placed[i].position - animated[i].position));
    report.turned = std::max(
        report.turned,
        glm::length(rotationVector(placed[i].rotation * glm::conjugate(animated[i].rotation))));
    if (p.falls[i] != 0 && how.partial.empty() && p.options.ground)
      report.lifted = std::max(report.lifted, -p.lowestPoint(i, placed[i]));
  }
  for (RigidTransform& transform : placed)
    transform.position.y += report.lifted;
  storeResiduals(p, now, animated, placed);
  enterWorld(p, jointedMotion(p, animatedBefore, animated, placed, seconds));
  findOverlapping(p);
  drive(p, animated);
  report.animationEnergy = animationEnergy(p, animatedBefore, animated, seconds);
  report.jointedEnergy = p.kineticEnergyOfAll();
  report.speedScale = scaleToEnergy(p, report.animationEnergy);
  report.bodiesEnergy = p.kineticEnergyOfAll();
  return report;
}

void followAnimation(RagdollParts& p, const Pose& animated) {
  p.base = animated;
  const std::vector<RigidTransform> transforms = animatedTransforms(p, animated);
  carryAlong(p, transforms);
  for (std::size_t i = 0; i < p.bodies.size(); ++i)
    if (p.falls[i] == 0) p.bodies[i]->body().setWorldTransform(toBullet(transforms[i]));
  drive(p, transforms);
}

} // namespace sinew
