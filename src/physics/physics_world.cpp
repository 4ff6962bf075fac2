#include "physics/physics_world.h"

#include "physics/world_parts.h"

#include <algorithm>
#include <cmath>

namespace sinew {

const char* toString(JointSolver solver) {
  switch (solver) {
  case JointSolver::bullet:
    return "bullet";
  case JointSolver::severity:
    return "severity";
  case JointSolver::reduced:
    return "reduced";
  }
  return "";
}

PhysicsOptions physicsWith(JointSolver solver) {
  PhysicsOptions options;
  options.solver = solver;
  if (solver == JointSolver::reduced) {
    options.stepsPerSecond = 240.0;
    options.iterations = 30;
  }
  return options;
}

PhysicsWorld::PhysicsWorld(const PhysicsOptions& options)
    : options_(options), parts_(std::make_unique<WorldParts>(options)) {
  if (options.ground) addWall({0.0, 1.0, 0.0}, 0.0);
}

PhysicsWorld::~PhysicsWorld() = default;
PhysicsWorld::PhysicsWorld(PhysicsWorld&&) noexcept = default;
PhysicsWorld& PhysicsWorld::operator=(PhysicsWorld&&) noexcept = default;

void PhysicsWorld::addWall(const glm::dvec3& normal, double distance) {
  auto plane = std::make_unique<btStaticPlaneShape>(toBullet(normal), distance);
  parts_->fixed.push_back(std::make_unique<WorldBody>(parts_->world, std::move(plane), 0.0,
                                                      glm::dvec3(0.0), RigidTransform{}));
  btRigidBody& body = parts_->fixed.back()->body();
  body.setFriction(1.0 / kLimbFriction);
  body.setRestitution(1.0); // what hits it decides
}

std::size_t PhysicsWorld::addBall(double radius, double mass, const glm::dvec3& position,
                                  const glm::dvec3& velocity, double restitution) {
  const glm::dvec3 inertia(0.4 * mass * radius * radius);
  parts_->balls.push_back(std::make_unique<WorldBody>(parts_->world,
                                                      std::make_unique<btSphereShape>(radius), mass,
                                                      inertia, RigidTransform{position}));
  parts_->ballRadii.push_back(radius);
  btRigidBody& body = parts_->balls.back()->body();
  body.setLinearVelocity(toBullet(velocity));
  body.setFriction(0.6 / kLimbFriction);
  body.setRollingFriction(kRollingArm * kLimbFriction);
  body.setRestitution(restitution);
  body.setDamping(0.02, 0.3);
  body.setSleepingThresholds(0.1, 0.3);
  // Fast and small against what it hits: swept over the step.
  body.setCcdMotionThreshold(0.5 * radius);
  body.setCcdSweptSphereRadius(0.5 * radius);
  return parts_->balls.size() - 1;
}

RigidTransform PhysicsWorld::ball(std::size_t index) const {
  return parts_->balls[index]->transform();
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

void PhysicsWorld::step() {
  for (const WorldParts::Member& member : parts_->members)
    member.before(stepSeconds());
  if (options_.solver == JointSolver::reduced) parts_->lookAhead(stepSeconds());
  parts_->bounces.rememberSpeeds(parts_->world);
  parts_->world.stepSimulation(stepSeconds(), 0); // exactly one step of this length
  parts_->bounces.apply(parts_->world);
  if (options_.solver != JointSolver::bullet) parts_->findTouching();
  for (const WorldParts::Member& member : parts_->members)
    member.after(stepSeconds());
}

int StepClock::stepsFor(double seconds, double stepSeconds, int max) {
  left += std::max(seconds, 0.0);
  const auto steps = static_cast<int>(std::min(std::floor(left / stepSeconds + 1e-9), max + 1.0));
  if (steps > max) {
    left = 0.0;
    return max;
  }
  left = std::max(left - steps * stepSeconds, 0.0);
  return steps;
}

} // namespace sinew
