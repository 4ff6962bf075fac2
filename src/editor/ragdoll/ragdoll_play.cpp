#include "editor/ragdoll/ragdoll_play.h"

#include "core/error.h"
#include "core/stopwatch.h"
#include "editor/document/framing.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "ragdoll_run/ragdoll_run.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr double kBackSeconds = 0.6;
constexpr double kBallMass = 8.0;   // kilograms
constexpr double kPaceMemory = 0.1; // weight of the last frame in the pace
constexpr double kSlow = 0.8;       // the pace that is worth a message

// The animation without the ragdoll. Uses the workbench's memory, which nothing else uses during a
// fall, so that springs continue during and after it. Time must not decrease.
void animate(Document& document, double seconds, Pose& pose) {
  Workbench& workbench = document.workbench;
  if (const auto& posed = document.history.now().pose) {
    pose = *posed;
    return;
  }
  poseAt(workbench, workbench.clip, seconds, getWrap(document.settings), workbench.memory, pose);
  replaceNonFinite(workbench.model.hierarchy, pose); // no body recovers from one
}

double animatedNow(const Document& document) {
  return playedTime(document.clock, document.settings.time);
}
double animationSpeed(const Document& document) {
  return document.settings.playing ? static_cast<double>(document.settings.speed) : 0.0;
}

struct Switch {
  Pose before, now;  // a step apart
  double time = 0.0; // current time of the animation
};

// The next step of the animation; the one before where that passes the end of a loop,
// which need not meet its start.
Switch fromAnimation(Document& document, JointSolver solver) {
  const double step = animationSpeed(document) / physicsWith(solver).stepsPerSecond;
  const TimeMap range = playedRange(document.workbench, getWrap(document.settings));
  const auto loops = [&](double time) { return mapTime(range, time, range.end).loops; };
  double begin = animatedNow(document);
  if (loops(begin) != loops(begin + step)) begin -= step;
  Switch from;
  from.time = begin + step;
  animate(document, begin, from.before);
  animate(document, from.time, from.now);
  return from;
}

// Switches from the current state of the fall, or of the way back to the clip.
Switch fromFall(const RagdollPlay& play) {
  const RagdollFall& fall = *play.fall;
  if (play.backLeft > 0.0) return {*play.pose, *play.pose, fall.followed};
  return {fall.ragdoll.pose(0.0), fall.ragdoll.pose(1.0), fall.followed};
}

void addWalls(RagdollFall& fall) {
  fall.walls = true;
  for (const glm::dvec3& normal :
       {glm::dvec3(1, 0, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, 0, -1)})
    fall.world.addWall(normal, glm::dot(normal, fall.middle) - wallDistance(fall));
}

// Largest distance from the target, against its direction, at which a ball may start: inside the
// walls.
double roomFor(const RagdollFall& fall, const glm::dvec3& target, const glm::dvec3& way,
               double radius) {
  double room = 1e9;
  for (int axis = 0; axis < 3 && fall.walls; axis += 2) {
    if (std::abs(way[axis]) < 1e-6) continue;
    const double side = way[axis] < 0.0 ? 1.0 : -1.0;
    const double wall = fall.middle[axis] + side * (wallDistance(fall) - radius);
    room = std::min(room, (target[axis] - wall) / way[axis]);
  }
  return room;
}

// What is not the ragdoll's stays when one begins in the place of another.
void takeOver(const RagdollFall& old, RagdollFall& fall) {
  const auto moved = [&](const glm::dvec3& point) {
    return fall.ragdoll.worldFromModel(old.ragdoll.modelFromWorld(point));
  };
  fall.seconds = old.seconds;
  fall.middle = moved(old.middle);
  for (std::size_t i = 0; i < old.world.ballCount(); ++i)
    fall.world.addBall(old.world.ballRadius(i), kBallMass, moved(old.world.ball(i).position),
                       old.world.ballVelocity(i));
}

void begin(Document& document, RagdollPlay& play, const Switch& from) {
  leaveJoint(document);
  const vec3 away = carriedAway(document);
  auto fall = std::make_unique<RagdollFall>(document.workbench.model, play.file->config,
                                            physicsWith(play.solver));
  fall->switched = fall->ragdoll.start(from.before, from.now, fall->world.stepSeconds(),
                                       {play.partial, static_cast<double>(play.strength)});
  fall->middle = fall->ragdoll.body(0).position;
  fall->followed = from.time;
  if (play.fall) takeOver(*play.fall, *fall);
  if (play.walls) addWalls(*fall);
  fall->state = fall->ragdoll.state();
  play.fall = std::move(fall);
  document.framing.ragdollAway = away;
  play.pose = play.fall->ragdoll.pose();
  play.backLeft = 0.0;
  play.dragging = false;
  document.stale = true;
}

void record(RagdollPlay& play) {
  if (!play.recording || !play.pose) return;
  while (play.recordedUntil <= play.fall->seconds + 1e-9) {
    play.recorded.push_back(*play.pose);
    play.recordedUntil += 1.0 / kRecordedPerSecond;
  }
}

// The time of the animation that goes with the last step. Farther than a layer stack can be
// followed, it is a jump.
double followable(const Document& document, const RagdollPlay& play) {
  RagdollFall& fall = *play.fall;
  const double goal = animatedNow(document) - fall.clock.left * animationSpeed(document);
  if (std::abs(goal - fall.followed) > kMaxStep) fall.followed = goal;
  return goal;
}

// What falls, in fixed steps; the animation that it follows advances in as many.
void stepOn(Document& document, RagdollPlay& play, double seconds) {
  RagdollFall& fall = *play.fall;
  const double step = fall.world.stepSeconds();
  const int steps = fall.clock.stepsFor(seconds, step);
  if (steps == 0) return;
  const double goal = followable(document, play);
  const double from = fall.followed;
  const bool driven = play.strength > 0.0f || !play.partial.empty();
  const Clock::time_point start = Clock::now();
  int done = 0;
  for (int i = 1; i <= steps; ++i) {
    if (i > 1 && secondsSince(start) > play.frameSeconds) {
      fall.clock.left = 0.0;
      break;
    }
    done = i;
    if (driven || play.backLeft > 0.0)
      animate(document, i == steps ? goal : from + (goal - from) * i / steps, fall.animated);
    if (driven) fall.ragdoll.follow(fall.animated);
    fall.world.step();
    fall.seconds += step;
  }
  fall.followed = goal;
  fall.state = fall.ragdoll.state();
  fall.pace += kPaceMemory * (static_cast<double>(done) / steps - fall.pace);
  if (fall.pace >= kSlow || std::exchange(fall.paceTold, true)) return;
  notify(document, fmt::format("{} bodies are slow to simulate here: they fall in slow motion",
                               fall.ragdoll.config().bodies.size()));
}

// The camera follows slowly, and stays while the mouse drags a limb. On the way back it arrives
// where the clip has it.
void followFall(Document& document, const RagdollPlay& play, float seconds) {
  constexpr float kEasing = 0.5f; // seconds
  if (play.dragging) return;
  vec3& away = *document.framing.ragdollAway;
  const vec3 goal = carriedBy(document);
  if (play.backLeft > 0.0)
    away = glm::mix(goal, play.awayBefore, static_cast<float>(play.backLeft / kBackSeconds));
  else
    away += (1.0f - std::exp(-seconds / kEasing)) * (goal - away);
}

// Hands over to the animation.
void arrive(Document& document, RagdollPlay& play) {
  recordRagdoll(document, play, false);
  if (document.workbench.posed) document.workbench.pose = play.fall->animated;
  play.backLeft = 0.0;
  document.framing.ragdollAway.reset();
  play.pose.reset();
  play.fall.reset();
}

} // namespace

double wallDistance(const RagdollFall& fall) {
  return 1.2 * static_cast<double>(fall.ragdoll.config().metres);
}

bool ragdollActive(const RagdollPlay& play) {
  return play.pose.has_value();
}

bool ragdollMoves(const RagdollPlay& play) {
  return ragdollActive(play) && (play.backLeft > 0.0 || play.dragging || !play.fall->state.resting);
}

void changeRagdoll(Document& document, RagdollPlay& play, RagdollConfig config) {
  if (!play.file || config == play.file->config) return;
  try {
    checkRagdoll(document.workbench.model, config, "ragdoll");
  } catch (const Error& error) {
    notify(document, error.what());
    return;
  }
  play.file->config = std::move(config);
  play.changed = true;
  if (play.fall && play.backLeft <= 0.0) begin(document, play, fromFall(play));
}

void startRagdoll(Document& document, RagdollPlay& play) {
  if (ragdollConfig(document, play) == nullptr) {
    play.fallsWhenFitted = fittingRagdoll(play);
    if (!play.problem.empty()) notify(document, play.problem);
    return;
  }
  try {
    begin(document, play,
          ragdollActive(play) ? fromFall(play) : fromAnimation(document, play.solver));
  } catch (const Error& error) {
    notify(document, error.what());
  }
}

void endRagdoll(Document& document, RagdollPlay& play) {
  if (!ragdollActive(play) || play.backLeft > 0.0) return;
  play.fall->followed = followable(document, play);
  animate(document, play.fall->followed, play.fall->animated);
  play.fall->ragdoll.release();
  play.backLeft = kBackSeconds;
  play.awayBefore = *document.framing.ragdollAway;
  play.dragging = false;
}

void toggleFall(Document& document, RagdollPlay& play) {
  if (ragdollActive(play) && play.backLeft <= 0.0)
    endRagdoll(document, play);
  else
    startRagdoll(document, play);
}

void setRagdollStrength(RagdollPlay& play, float strength) {
  play.strength = strength;
  if (!play.fall) return;
  play.fall->ragdoll.setMotorStrength(static_cast<double>(strength));
  play.fall->state.resting = false; // it may have lain
}

void throwBall(Document& document, RagdollPlay& play, const vec3& from) {
  if (!ragdollActive(play)) startRagdoll(document, play);
  if (!play.fall) return;
  RagdollFall& fall = *play.fall;
  const Ragdoll& ragdoll = fall.ragdoll;
  const glm::dvec3 eye = ragdoll.worldFromModel(glm::dvec3(from));
  const glm::dvec3 target = ragdoll.body(0).position;
  const double size = static_cast<double>(ragdoll.config().metres);
  const glm::dvec3 way = glm::normalize(target - eye);
  const double radius = 0.07 * size;
  const double far = std::min({glm::length(target - eye), 2.0 * size,
                               std::max(roomFor(fall, target, way, radius), 0.4 * size)});
  const glm::dvec3 start = target - far * way;
  // Heavy and fast enough to knock over; a little upwards against its fall on the way.
  fall.world.addBall(radius, kBallMass, start, 5.5 * size * way + glm::dvec3(0.0, 1.2, 0.0));
  fall.ragdoll.push(0, glm::dvec3(0.0)); // wakes it
  fall.state.resting = false;
}

void forgetRagdoll(Document& document, RagdollPlay& play) {
  RagdollPlay fresh;
  fresh.fitting = std::move(play.fitting);
  if (fresh.fitting) fresh.fitting->cancel();
  fresh.frameSeconds = play.frameSeconds;
  fresh.solver = play.solver;
  fresh.strength = play.strength;
  fresh.walls = play.walls;
  fresh.shapes = play.shapes;
  play = std::move(fresh);
  document.framing.ragdollAway.reset();
}

void advanceRagdoll(Document& document, RagdollPlay& play, float seconds) {
  if (!ragdollActive(play) || !ragdollMoves(play)) return;
  document.stale = true;
  stepOn(document, play, static_cast<double>(seconds));
  followFall(document, play, seconds);
  RagdollFall& fall = *play.fall;
  play.pose = fall.ragdoll.pose(fall.clock.fraction(fall.world.stepSeconds()));
  if (play.backLeft > 0.0) {
    play.backLeft -= static_cast<double>(seconds);
    if (!(play.backLeft > 0.0)) return arrive(document, play);
    play.pose = crossFade(*play.pose, fall.animated, 1.0 - play.backLeft / kBackSeconds);
  }
  record(play);
}

// The clip stays chosen beneath it.
bool poseByRagdoll(Document& document, const RagdollPlay& play) {
  if (!ragdollActive(play)) return false;
  Workbench& workbench = document.workbench;
  const bool posed = std::exchange(workbench.posed, true);
  workbench.pose = *play.pose;
  evaluate(workbench, 0.0, Wrap::clamp);
  workbench.posed = posed;
  return true;
}

} // namespace sinew
