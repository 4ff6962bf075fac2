#include "viewer/ragdoll_play.h"

#include "animation/clip_of_poses.h"
#include "animation/sample.h"
#include "app/ragdoll_run.h"
#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "render/camera.h"
#include "viewer/camera_control.h"
#include "viewer/session.h"
#include "viewer/viewport.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr double kBackSeconds = 0.6;

// What the model would do without the ragdoll.
Pose animationAt(const Viewer& viewer, double seconds) {
  if (const auto& pose = viewer.edit.history.now().pose) return *pose;
  PoseMemory memory;
  Pose pose;
  poseAt(viewer.bench, viewer.bench.clip, seconds, wrapOf(viewer.settings), memory, pose);
  return pose;
}

// The pose a step before the moment: the clip's while it plays.
Pose poseBefore(const Viewer& viewer, double step) {
  const bool plays = viewer.bench.clip && viewer.settings.playing;
  const double time = static_cast<double>(viewer.settings.time);
  const double speed = static_cast<double>(viewer.settings.speed);
  return animationAt(viewer, plays ? time - step * speed : time);
}

void addWalls(RagdollFall& fall) {
  const glm::dvec3 center = fall.ragdoll.body(0).position;
  const double away = 1.2 * static_cast<double>(fall.ragdoll.config().metres);
  for (const glm::dvec3& normal :
       {glm::dvec3(1, 0, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, 0, -1)})
    fall.world.addWall(normal, glm::dot(normal, center) - away);
}

void begin(Viewer& viewer, const Pose& before, const Pose& now) {
  RagdollPlay& play = viewer.ragdoll;
  PhysicsOptions options;
  options.solver = play.solver;
  if (!ragdollActive(viewer)) play.away = carriedAway(viewer);
  auto fall = std::make_unique<RagdollFall>(viewer.bench.model, play.file->config, options);
  fall->switched = fall->ragdoll.start(before, now, fall->world.stepSeconds(),
                                       {play.partial, static_cast<double>(play.strength)});
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

} // namespace

bool ragdollActive(const Viewer& viewer) {
  return viewer.ragdoll.pose.has_value();
}

bool ragdollMoves(const Viewer& viewer) {
  const RagdollPlay& play = viewer.ragdoll;
  return ragdollActive(viewer) &&
         (play.backLeft > 0.0 || play.dragging || !play.fall->state.resting);
}

const RagdollConfig* ragdollConfig(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (play.file) return &play.file->config;
  if (!hasModel(viewer) || viewer.crowd) return nullptr;
  try {
    play.file = openRagdoll(viewer.bench.model, viewer.bench.rig, viewer.loaded.model, "", "");
  } catch (const Error& error) {
    toast(viewer, error.what());
    return nullptr;
  }
  if (!play.file->path.empty()) {
    play.watch = watchFile(play.file->path);
    toast(viewer, fmt::format("ragdoll {} {}", play.file->fitted ? "written to" : "from",
                              fs::path(play.file->path).filename().string()));
  }
  if (!play.file->warning.empty()) toast(viewer, play.file->warning);
  return &play.file->config;
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
  if (!play.fall || play.backLeft > 0.0) return;
  const Pose pose = *play.pose;
  begin(viewer, pose, pose);
}

void saveRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (ragdollConfig(viewer) == nullptr) return;
  const std::string path =
      play.file->path.empty() ? ragdollPath(viewer.loaded.model).string() : play.file->path;
  try {
    writeFile(path, ragdollToJson(play.file->config));
    play.file->path = path;
    play.watch = watchFile(path);
    play.changed = false;
    toast(viewer, fmt::format("saved {}", path));
  } catch (const Error& error) {
    toast(viewer, error.what());
  }
}

void startRagdoll(Viewer& viewer) {
  if (ragdollConfig(viewer) == nullptr) return;
  try {
    const double step = 1.0 / PhysicsOptions{}.stepsPerSecond;
    const Pose now = ragdollActive(viewer) ? *viewer.ragdoll.pose : viewer.bench.pose;
    begin(viewer, ragdollActive(viewer) ? now : poseBefore(viewer, step), now);
  } catch (const Error& error) {
    toast(viewer, error.what());
  }
}

void endRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (!ragdollActive(viewer) || play.backLeft > 0.0) return;
  play.backLeft = kBackSeconds;
  play.dragging = false;
}

void setRagdollStrength(Viewer& viewer, float strength) {
  viewer.ragdoll.strength = strength;
  if (viewer.ragdoll.fall) viewer.ragdoll.fall->ragdoll.setPowered(static_cast<double>(strength));
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
  const glm::dvec3 from = target - std::min(glm::length(target - eye), 2.0 * size) * way;
  // Heavy and fast enough to knock over; a little upwards against its fall on the way.
  fall.world.addBall(0.07 * size, 8.0, from, 5.5 * size * way + glm::dvec3(0.0, 1.2, 0.0));
  fall.ragdoll.push(0, glm::dvec3(0.0)); // wakes it
  fall.state.resting = false;
}

void recordRagdoll(Viewer& viewer, bool on) {
  RagdollPlay& play = viewer.ragdoll;
  if (on == play.recording) return;
  play.recording = on;
  if (on) {
    play.recorded.clear();
    play.recordedUntil = play.fall ? play.fall->seconds : 0.0;
    return;
  }
  if (play.recorded.empty()) return;
  std::vector<Clip>& clips = viewer.bench.model.clips;
  std::string name = "ragdoll";
  for (int i = 2;
       std::any_of(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.name == name; });
       ++i)
    name = fmt::format("ragdoll {}", i);
  clips.push_back(
      clipOfPoses(viewer.bench.model.hierarchy, name, play.recorded, kRecordedPerSecond));
  toast(viewer, fmt::format("recorded {:.2f} s as clip '{}'", clips.back().seconds, name));
}

void exportRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  recordRagdoll(viewer, false);
  if (play.recorded.empty()) return toast(viewer, "nothing has been recorded");
  try {
    Model model = viewer.bench.model;
    model.clips = {clipOfPoses(model.hierarchy, "ragdoll", play.recorded, kRecordedPerSecond)};
    std::error_code error;
    const fs::path path =
        freeName(fs::current_path(error), stemOf(viewer.bench.model) + "-ragdoll", ".glb");
    writeFile(path, glbOf(model));
    toast(viewer, fmt::format("saved {}", path.string()));
  } catch (const Error& error) {
    toast(viewer, error.what());
  }
}

void forgetRagdoll(Viewer& viewer) {
  RagdollPlay fresh;
  fresh.solver = viewer.ragdoll.solver;
  fresh.strength = viewer.ragdoll.strength;
  fresh.walls = viewer.ragdoll.walls;
  fresh.shapes = viewer.ragdoll.shapes;
  viewer.ragdoll = std::move(fresh);
}

bool pollRagdollFile(Viewer& viewer, double now) {
  RagdollPlay& play = viewer.ragdoll;
  if (!play.file || play.watch.path.empty()) return false;
  if (!settledChange(play.watch, stampOf(play.watch.path), now)) return false;
  const std::string& path = play.file->path;
  try {
    RagdollConfig read = ragdollFromJson(viewer.bench.model, readFile(path), path);
    changeRagdoll(viewer, std::move(read));
    play.changed = false;
    toast(viewer, fmt::format("{} has changed: read again", fs::path(path).filename().string()));
  } catch (const Error& error) {
    toast(viewer, error.what()); // the one before stays
  }
  return true;
}

void advanceRagdoll(Viewer& viewer, float seconds) {
  RagdollPlay& play = viewer.ragdoll;
  if (!ragdollActive(viewer) || !ragdollMoves(viewer)) return;
  viewer.stale = true;
  const double now = static_cast<double>(viewer.settings.time);
  if (play.backLeft > 0.0) {
    play.backLeft -= static_cast<double>(seconds);
    if (play.backLeft > 0.0) return;
    recordRagdoll(viewer, false);
    if (viewer.bench.posed) viewer.bench.pose = animationAt(viewer, now);
    play.backLeft = 0.0;
    play.pose.reset();
    play.fall.reset();
    return;
  }
  RagdollFall& fall = *play.fall;
  const double step = fall.world.stepSeconds();
  const bool driven = play.strength > 0.0f || !play.partial.empty();
  const int steps = fall.clock.stepsFor(static_cast<double>(seconds), step);
  const double speed = viewer.settings.playing ? static_cast<double>(viewer.settings.speed) : 0.0;
  for (int i = 0; i < steps; ++i) {
    if (driven) fall.ragdoll.follow(animationAt(viewer, now - (steps - 1 - i) * step * speed));
    fall.world.step();
    fall.seconds += step;
  }
  fall.state = fall.ragdoll.state();
  play.pose = fall.ragdoll.pose(fall.clock.fraction(step));
  record(play);
}

// The clip stays chosen beneath it.
bool poseByRagdoll(Viewer& viewer) {
  RagdollPlay& play = viewer.ragdoll;
  if (!ragdollActive(viewer)) return false;
  Workbench& bench = viewer.bench;
  Pose pose = *play.pose;
  if (play.backLeft > 0.0)
    pose = crossFade(pose, animationAt(viewer, static_cast<double>(viewer.settings.time)),
                     1.0 - play.backLeft / kBackSeconds);
  const bool posed = std::exchange(bench.posed, true);
  bench.pose = std::move(pose);
  evaluate(bench, 0.0, Wrap::clamp);
  bench.posed = posed;
  return true;
}

} // namespace sinew
