#include "ragdoll_run/ragdoll_run.h"

#include "core/bounds.h"
#include "core/error.h"
#include "core/random.h"
#include "core/stopwatch.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

class Runner {
 public:
  Runner(const Model& model, const RagdollConfig& config, const RagdollRunOptions& options)
      : model_(model), options_(options), random_(options.seed), world_(options.physics),
        ragdoll_(world_, model, config, {{0.0, findGround(config), 0.0}, {}}) {}

  RagdollRun run() {
    begin();
    const double step = world_.stepSeconds();
    const auto steps = static_cast<std::uint64_t>(std::lround(options_.seconds / step));
    for (; run_.steps < steps; ++run_.steps) {
      const double time = static_cast<double>(run_.steps) * step;
      record(time);
      if (options_.ball && run_.steps == static_cast<std::uint64_t>(0.5 / step)) throwBall();
      if (goesOn_) ragdoll_.follow(animation(run_.switchTime + time));
      const auto start = Clock::now();
      world_.step();
      spent_ += millisecondsSince(start);
      measure(time + step);
    }
    record(options_.seconds);
    end();
    return RagdollRun(std::move(run_));
  }

 private:
  struct Running : RagdollRun {
    double switchTime = 0.0;
  };

  Pose animation(double time) const {
    if (!clip_) return restPose(model_);
    return sample(model_, model_.clips[*clip_], static_cast<float>(time), Wrap::loop);
  }

  // The clip and the moment, by chance where a seed is given and they are not.
  void begin() {
    clip_ = options_.clip;
    run_.switchTime = options_.time;
    if (options_.seed != 0 && !clip_ && !model_.clips.empty()) {
      clip_ = random_.below(static_cast<std::uint32_t>(model_.clips.size()));
      run_.switchTime =
          static_cast<double>(random_.uniform(0.0f, std::max(model_.clips[*clip_].seconds, 0.0f)));
    }
    if (clip_) run_.clip = model_.clips[*clip_].name;
    run_.time = run_.switchTime;
    goesOn_ = !options_.start.partial.empty() || options_.start.motorStrength > 0.0;
    // A loop's end and start need not meet: the step before the switch is within the clip.
    const double step = world_.stepSeconds();
    const double now = clip_ ? std::max(wrapped(run_.switchTime), step) : 0.0;
    run_.switchTime = now;
    if (options_.record)
      for (double lead = options_.lead; lead > 1e-9; lead -= 1.0 / kRecordedPerSecond)
        run_.recording.push_back(animation(now - lead));
    run_.switched = ragdoll_.start(clamped(now - step), clamped(now), step, options_.start);
    run_.height = ragdoll_.height();
    run_.worstSeverity.assign(ragdoll_.config().joints.size(), 0.0);
    if (options_.walls) addWalls();
    if (options_.seed != 0) toss();
    measure(0.0);
    run_.firstEnergy = run_.end.kinetic + run_.end.potential;
  }

  double wrapped(double time) const {
    return static_cast<double>(
        wrapTime(static_cast<float>(time), model_.clips[*clip_].seconds, Wrap::loop));
  }
  Pose clamped(double time) const {
    if (!clip_) return restPose(model_);
    return sample(model_, model_.clips[*clip_], static_cast<float>(time), Wrap::clamp);
  }

  glm::dvec3 direction() {
    for (;;) {
      const glm::dvec3 v(random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1));
      const double length = glm::length(v);
      if (length > 0.1 && length <= 1.0) return v / length;
    }
  }

  // All of it with one speed, and one body with a blow besides.
  void toss() {
    const std::vector<RagdollBody>& bodies = ragdoll_.config().bodies;
    glm::dvec3 speed = static_cast<double>(random_.uniform(0.0f, 3.0f)) * direction();
    speed.y = std::abs(speed.y);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      ragdoll_.push(i, static_cast<double>(bodies[i].mass) * speed);
    const std::uint32_t struck = random_.below(static_cast<std::uint32_t>(bodies.size()));
    ragdoll_.push(struck, static_cast<double>(bodies[struck].mass) *
                              static_cast<double>(random_.uniform(0.0f, 4.0f)) * direction());
  }

  void addWalls() {
    const glm::dvec3 center = ragdoll_.body(0).position;
    for (const glm::dvec3& normal :
         {glm::dvec3(1, 0, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, 0, -1)})
      world_.addWall(normal, glm::dot(normal, center) - 1.2 * ragdoll_.config().metres);
  }

  // Throws the ball at the root, from in front.
  void throwBall() {
    const glm::dvec3 target = ragdoll_.body(0).position;
    const glm::dvec3 from = target + glm::dvec3(0.4, 0.3, 2.5);
    world_.addBall(0.12, 6.0, from, 9.0 * glm::normalize(target - from) + glm::dvec3(0, 1.2, 0));
  }

  void record(double time) {
    if (!options_.record || time + 1e-9 < nextFrame_) return;
    nextFrame_ += 1.0 / kRecordedPerSecond;
    Pose pose = ragdoll_.pose();
    const double left = options_.seconds - time;
    if (options_.back > 0.0 && left < options_.back)
      pose = crossFade(pose, animation(run_.switchTime + time), 1.0 - left / options_.back);
    run_.recording.push_back(std::move(pose));
  }

  void measure(double time) {
    run_.end = ragdoll_.state();
    const RagdollState& state = run_.end;
    run_.finite = run_.finite && state.finite;
    run_.throughPercent = std::max(run_.throughPercent, -100.0 * state.lowest / run_.height);
    run_.largestEnergy = std::max(run_.largestEnergy, state.kinetic + state.potential);
    for (std::size_t j = 0; j < state.joints.size(); ++j) {
      const JointState& joint = state.joints[j];
      const double apart = 100.0 * joint.errors.position / run_.height;
      const double excess = glm::degrees(joint.errors.limitExcess());
      if (apart > run_.anchorPercent) run_.anchorJoint = ragdoll_.config().joints[j].child;
      if (excess > run_.limitDegrees) run_.limitJoint = ragdoll_.config().joints[j].child;
      run_.anchorPercent = std::max(run_.anchorPercent, apart);
      run_.limitDegrees = std::max(run_.limitDegrees, excess);
      run_.meanAnchorPercent += apart;
      run_.meanLimitDegrees += excess;
      run_.worstSeverity[j] = std::max(run_.worstSeverity[j], joint.severity);
    }
    measured_ += state.joints.size();
    if (!state.resting)
      run_.restAfter.reset();
    else if (!run_.restAfter)
      run_.restAfter = time;
  }

  // Above the ground: the centre of mass, and how the bodies lie.
  void measureHeights() {
    double mass = 0.0, center = 0.0, raised = 0.0;
    for (std::size_t i = 0; i < ragdoll_.config().bodies.size(); ++i) {
      const RagdollBody& body = ragdoll_.config().bodies[i];
      const RigidTransform at = ragdoll_.body(i);
      const auto of = static_cast<double>(body.mass);
      mass += of;
      center += of * at.position.y;
      raised += of * (at.position.y - ragdoll_.metresPerUnit() * computeReach(body, at.rotation).y);
    }
    run_.centerPercent = 100.0 * center / (mass * run_.height);
    run_.raisedPercent = 100.0 * raised / (mass * run_.height);
  }

  void end() {
    run_.hash = ragdoll_.hash();
    measureHeights();
    if (run_.steps > 0) run_.msPerStep = spent_ / static_cast<double>(run_.steps);
    if (measured_ > 0) {
      run_.meanAnchorPercent /= static_cast<double>(measured_);
      run_.meanLimitDegrees /= static_cast<double>(measured_);
    }
    for (const JointState& joint : run_.end.joints)
      run_.severity.push_back(joint.severity);
  }

  const Model& model_;
  const RagdollRunOptions& options_;
  Random random_;
  PhysicsWorld world_;
  Ragdoll ragdoll_;
  Running run_;
  std::optional<std::uint32_t> clip_;
  bool goesOn_ = false; // the animation plays on with the ragdoll
  double nextFrame_ = 0.0;
  double spent_ = 0.0;
  std::size_t measured_ = 0;
};

// Named as on the command line.
void checkOptions(const RagdollRunOptions& options) {
  const auto check = [](const char* name, double value, double least) {
    if (!std::isfinite(value) || value < least)
      throw usageError(fmt::format("{} is {}; it must be a finite number{}", name, value,
                                   least == 0.0 ? " of at least 0" : ""));
  };
  check("--seconds", options.seconds, 0.0);
  check("--time", options.time, -std::numeric_limits<double>::max());
  check("--lead", options.lead, 0.0);
  check("--back", options.back, 0.0);
  check("--motor-strength", options.start.motorStrength, 0.0);
  check("--steps-per-second", options.physics.stepsPerSecond, 1.0);
}

} // namespace

RagdollRun runRagdoll(const Model& model, const RagdollConfig& config,
                      const RagdollRunOptions& options) {
  checkOptions(options);
  return Runner(model, config, options).run();
}

double energyError(const RagdollSwitch& switched) {
  const double off = std::abs(switched.bodiesEnergy - switched.animationEnergy);
  constexpr double kStill = 1e-4; // joules: of the rounding of two poses
  return off < kStill ? 0.0 : off / switched.animationEnergy;
}

std::vector<std::string> brokenLimits(const RagdollRun& run, const RagdollRunOptions& options,
                                      const RagdollLimits& limits) {
  std::vector<std::string> broken;
  if (!run.finite) broken.emplace_back("something is not finite");
  if (run.anchorPercent > limits.anchorPercent)
    broken.push_back(fmt::format("anchors of '{}' {:.2f} % of the height apart, allowed {}",
                                 run.anchorJoint, run.anchorPercent, limits.anchorPercent));
  if (run.limitDegrees > limits.limitDegrees)
    broken.push_back(fmt::format("'{}' {:.2f} degrees beyond its limits, allowed {}",
                                 run.limitJoint, run.limitDegrees, limits.limitDegrees));
  if (run.throughPercent > limits.throughPercent)
    broken.push_back(fmt::format("{:.2f} % of the height through the ground, allowed {}",
                                 run.throughPercent, limits.throughPercent));
  if (energyError(run.switched) > limits.energyError)
    broken.push_back(fmt::format("kinetic energy at the switch {:.1f} % off, allowed {:.0f}",
                                 100.0 * energyError(run.switched), 100.0 * limits.energyError));
  const bool driven = !options.start.partial.empty() || options.start.motorStrength > 0.0;
  if (!driven && !run.restAfter) broken.emplace_back("not at rest at the end");
  // A wall may hold it; a single body is a thing, which stands.
  const bool held = driven || options.walls || run.end.joints.empty();
  if (!held && run.centerPercent > limits.centerPercent && run.raisedPercent > limits.raisedPercent)
    broken.push_back(fmt::format("centre of mass at {:.1f} % of the height, allowed {:.0f}, and "
                                 "bodies {:.1f} % above the ground, allowed {:.0f}",
                                 run.centerPercent, limits.centerPercent, run.raisedPercent,
                                 limits.raisedPercent));
  return broken;
}

} // namespace sinew
