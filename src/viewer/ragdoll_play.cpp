#include "viewer/ragdoll_play.h"

#include "app/ragdoll_run.h"
#include "core/error.h"
#include "render/camera.h"
#include "viewer/camera_control.h"
#include "viewer/session.h"
#include "viewer/viewport.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr double kBackSeconds = 0.6;
constexpr double kBallMass = 8.0; // kilograms

// What the model would do without the ragdoll. With the workbench's own memory, which nothing else
// uses meanwhile: springs swing on beneath the ragdoll and after it. Time is to run forwards.
void animate(Viewer& viewer, double seconds, Pose& pose) {
  Workbench& bench = viewer.bench;
  if (const auto& posed = viewer.edit.history.now().pose) {
    pose = *posed;
    return;
  }
  poseAt(bench, bench.clip, seconds, wrapOf(viewer.settings), bench.memory, pose);
  replaceNonFinite(bench.model.hierarchy, pose); // no body recovers from one
}

double animatedNow(const Viewer& viewer) {
  return playedTime(viewer.clock, viewer.settings.time);
}
double animationSpeed(const Viewer& viewer) {
  return viewer.settings.playing ? static_cast<double>(viewer.settings.speed) : 0.0;
}

struct Switch {
  Pose before, now;  // a step apart
  double time = 0.0; // of the animation, now
};

// Of the animation, the step that comes next; the one before where that passes the end of a loop,
// which need not meet its start.
Switch fromAnimation(Viewer& viewer) {
  const double step = animationSpeed(viewer) / PhysicsOptions{}.stepsPerSecond;
  const TimeMap range = playedRange(viewer.bench, wrapOf(viewer.settings));
  const auto loops = [&](double time) { return mapTime(range, time, range.end).loops; };
  double begin = animatedNow(viewer);
  if (loops(begin) != loops(begin + step)) begin -= step;
  Switch from;
  from.time = begin + step;
  animate(viewer, begin, from.before);
  animate(viewer, from.time, from.now);
  return from;
}

// Of the fall as it stands; where the model is coming back, of that.
Switch fromFall(const Viewer& viewer) {
  const RagdollPlay& play = viewer.ragdoll;
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

// How far from the target a ball may come from against its way: not out of a wall.
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

void begin(Viewer& viewer, const Switch& from) {
  RagdollPlay& play = viewer.ragdoll;
  PhysicsOptions options;
  options.solver = play.solver;
  if (!ragdollActive(viewer)) play.away = carriedAway(viewer);
  auto fall = std::make_unique<RagdollFall>(viewer.bench.model, play.file->config, options);
  fall->switched = fall->ragdoll.start(from.before, from.now, fall->world.stepSeconds(),
                                       {play.partial, static_cast<double>(play.strength)});
  fall->middle = fall->ragdoll.body(0).position;
  fall->followed = from.time;
  if (play.fall) takeOver(*play.fall, *fall);
  if (play.walls) addWalls(*fall);
  fall->state = fall->ragdoll.state();
  play.fall = std::move(fall);
  play.pose = play.fall->ragdoll.pose();
  play.backLeft = 0.0;
  play.dragging = false;
  viewer.stale = true;
}

void record(RagdollPlay& play) {
  if (!play.recording || !play.pose) return;
  while (play.recordedUntil <= play.fall->seconds + 1e-9) {
    play.recorded.push_back(*play.pose);
    play.recordedUntil += 1.0 / kRecordedPerSecond;
  }
}

// The time of the animation that goes with the last step. Farther than a movement can be followed,
// it is a jump.
double followable(const Viewer& viewer) {
  RagdollFall& fall = *viewer.ragdoll.fall;
  const double goal = animatedNow(viewer) - fall.clock.left * animationSpeed(viewer);
  if (std::abs(goal - fall.followed) > kLongestStep) fall.followed = goal;
  return goal;
}

// What falls, in fixed steps; the animation that it follows goes along in as many.
void stepOn(Viewer& viewer, double seconds) {
  RagdollPlay& play = viewer.ragdoll;
  RagdollFall& fall = *play.fall;
  const double step = fall.world.stepSeconds();
  const int steps = fall.clock.stepsFor(seconds, step);
  if (steps == 0) return;
  const double goal = followable(viewer);
  const double from = fall.followed;
  const bool driven = play.strength > 0.0f || !play.partial.empty();
  for (int i = 1; i <= steps; ++i) {
    if (driven || play.backLeft > 0.0)
      animate(viewer, i == steps ? goal : from + (goal - from) * i / steps, fall.animated);
    if (driven) fall.ragdoll.follow(fall.animated);
    fall.world.step();
    fall.seconds += step;
  }
  fall.followed = goal;
  fall.state = fall.ragdoll.state();
}

// The camera goes along slowly, and stays while the mouse holds a limb. Coming back, it arrives
// where the clip has it.
void goAlong(Viewer& viewer, float seconds) {
  constexpr float kEasing = 0.5f; // seconds
  RagdollPlay& play = viewer.ragdoll;
  if (play.dragging) return;
  const vec3 goal = carriedBy(viewer);
  if (play.backLeft > 0.0)
    play.away = glm::mix(goal, play.awayBefore, static_cast<float>(play.backLeft / kBackSeconds));
  else
    play.away += (1.0f - std::exp(-seconds / kEasing)) * (goal - play.away);
}

// Hands over to the animation.
void arrive(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  recordRagdoll(viewer, false);
  if (viewer.bench.posed) viewer.bench.pose = play.fall->animated;
  play.backLeft = 0.0;
  play.pose.reset();
  play.fall.reset();
}

} // namespace

double wallDistance(const RagdollFall& fall) {
  return 1.2 * static_cast<double>(fall.ragdoll.config().metres);
}

bool ragdollActive(const Viewer& viewer) {
  return viewer.ragdoll.pose.has_value();
}

bool ragdollMoves(const Viewer& viewer) {
  const RagdollPlay& play = viewer.ragdoll;
  return ragdollActive(viewer) &&
         (play.backLeft > 0.0 || play.dragging || !play.fall->state.resting);
}

void changeRagdoll(Viewer& viewer, RagdollConfig config) {
  RagdollPlay& play = viewer.ragdoll;
  if (!play.file || config == play.file->config) return;
  try {
    checkRagdoll(viewer.bench.model, config, "ragdoll");
  } catch (const Error& error) {
    toast(viewer, error.what());
    return;
  }
  play.file->config = std::move(config);
  play.changed = true;
  if (play.fall && play.backLeft <= 0.0) begin(viewer, fromFall(viewer));
}

void startRagdoll(Viewer& viewer) {
  if (ragdollConfig(viewer) == nullptr) return;
  try {
    begin(viewer, ragdollActive(viewer) ? fromFall(viewer) : fromAnimation(viewer));
  } catch (const Error& error) {
    toast(viewer, error.what());
  }
}

void endRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (!ragdollActive(viewer) || play.backLeft > 0.0) return;
  play.fall->followed = followable(viewer);
  animate(viewer, play.fall->followed, play.fall->animated);
  play.fall->ragdoll.release();
  play.backLeft = kBackSeconds;
  play.awayBefore = play.away;
  play.dragging = false;
}

void setRagdollStrength(Viewer& viewer, float strength) {
  viewer.ragdoll.strength = strength;
  if (!viewer.ragdoll.fall) return;
  viewer.ragdoll.fall->ragdoll.setPowered(static_cast<double>(strength));
  viewer.ragdoll.fall->state.resting = false; // it may have lain
}

// From the eye at the middle of the picture.
void throwBall(Viewer& viewer) {
  if (!ragdollActive(viewer)) startRagdoll(viewer);
  if (!viewer.ragdoll.fall) return;
  RagdollFall& fall = *viewer.ragdoll.fall;
  const Ragdoll& ragdoll = fall.ragdoll;
  const View view = currentView(viewer);
  const glm::dvec3 eye = ragdoll.worldFromModel(glm::dvec3(eyePosition(view.camera)));
  const glm::dvec3 target = ragdoll.body(0).position;
  const double size = static_cast<double>(ragdoll.config().metres);
  const glm::dvec3 way = glm::normalize(target - eye);
  const double radius = 0.07 * size;
  const double far = std::min({glm::length(target - eye), 2.0 * size,
                               std::max(roomFor(fall, target, way, radius), 0.4 * size)});
  const glm::dvec3 from = target - far * way;
  // Heavy and fast enough to knock over; a little upwards against its fall on the way.
  fall.world.addBall(radius, kBallMass, from, 5.5 * size * way + glm::dvec3(0.0, 1.2, 0.0));
  fall.ragdoll.push(0, glm::dvec3(0.0)); // wakes it
  fall.state.resting = false;
}

void forgetRagdoll(Viewer& viewer) {
  RagdollPlay fresh;
  fresh.solver = viewer.ragdoll.solver;
  fresh.strength = viewer.ragdoll.strength;
  fresh.walls = viewer.ragdoll.walls;
  fresh.shapes = viewer.ragdoll.shapes;
  viewer.ragdoll = std::move(fresh);
}

void advanceRagdoll(Viewer& viewer, float seconds) {
  RagdollPlay& play = viewer.ragdoll;
  if (!ragdollActive(viewer) || !ragdollMoves(viewer)) return;
  viewer.stale = true;
  stepOn(viewer, static_cast<double>(seconds));
  goAlong(viewer, seconds);
  RagdollFall& fall = *play.fall;
  play.pose = fall.ragdoll.pose(fall.clock.fraction(fall.world.stepSeconds()));
  if (play.backLeft > 0.0) {
    play.backLeft -= static_cast<double>(seconds);
    if (!(play.backLeft > 0.0)) return arrive(viewer);
    play.pose = crossFade(*play.pose, fall.animated, 1.0 - play.backLeft / kBackSeconds);
  }
  record(play);
}

// The clip stays chosen beneath it.
bool poseByRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (!ragdollActive(viewer)) return false;
  Workbench& bench = viewer.bench;
  const bool posed = std::exchange(bench.posed, true);
  bench.pose = *play.pose;
  evaluate(bench, 0.0, Wrap::clamp);
  bench.posed = posed;
  return true;
}

} // namespace sinew
