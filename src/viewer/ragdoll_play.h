// The ragdoll in the window: falling and coming back, what drives it, its recording and its file.
// While it is active its pose is shown in place of the clip's or the held one.
#pragma once

#include "app/ragdoll_file.h"
#include "physics/ragdoll.h"
#include "viewer/file_watch.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct Viewer;

// A fall under way.
struct RagdollFall {
  PhysicsWorld world;
  Ragdoll ragdoll;
  StepClock clock;
  RagdollSwitch switched;
  RagdollState state;
  double seconds = 0.0;
  double followed = 0.0; // time of the animation beneath it, at the last step
  Pose animated;         // of that time, while it is wanted
  bool walls = false;
  glm::dvec3 middle{0.0}; // between them, world

  RagdollFall(const Model& model, const RagdollConfig& config, const PhysicsOptions& options)
      : world(options),
        ragdoll(world, model, config, {{0.0, groundOf(config), 0.0}, glm::dvec3(0.0)}) {}
};

// From the middle to each wall, metres.
double wallDistance(const RagdollFall& fall);

struct RagdollPlay {
  std::optional<RagdollFile> file; // of the model; made or read when first needed
  FileWatch watch;
  bool changed = false; // edited and not saved

  // As chosen in the panel.
  JointSolver solver = JointSolver::bullet;
  float strength = 0.0f; // of the drives
  std::string partial;   // a bone; empty: the whole body
  bool walls = false;
  bool shapes = false; // bodies and limits are drawn

  std::unique_ptr<RagdollFall> fall;
  std::optional<Pose> pose; // shown: of the fall, or on the way back
  double backLeft = 0.0;    // of the cross-fade to the animation; 0: none
  bool recording = false;
  std::vector<Pose> recorded;
  double recordedUntil = 0.0;

  vec3 away{0.0f};       // how far the camera has gone along
  vec3 awayBefore{0.0f}; // likewise, when the way back began

  bool dragging = false;
  glm::vec3 dragPoint{0.0f}; // model space
};

bool ragdollActive(const Viewer& viewer);
bool ragdollMoves(const Viewer& viewer); // so that the next frame differs from this one

// The model's ragdoll; null, with the reason shown, where it has none.
const RagdollConfig* ragdollConfig(Viewer& viewer);

// A changed set-up, kept if it is sound, else the reason shown; a fall goes on with it.
void changeRagdoll(Viewer& viewer, RagdollConfig config);
void saveRagdoll(Viewer& viewer);

void startRagdoll(Viewer& viewer);
void endRagdoll(Viewer& viewer); // cross-fades to the animation
void throwBall(Viewer& viewer);
void setRagdollStrength(Viewer& viewer, float strength);

// Recording becomes a clip of the model and, by the second, a .glb beside the working folder.
void recordRagdoll(Viewer& viewer, bool on);
void exportRagdoll(Viewer& viewer);

void forgetRagdoll(Viewer& viewer); // another model has come
bool pollRagdollFile(Viewer& viewer, double now);

// Steps on; marks the scene stale while something moves.
void advanceRagdoll(Viewer& viewer, float seconds);
// Poses the workbench by it; false while there is no ragdoll.
bool poseByRagdoll(Viewer& viewer);

} // namespace sinew
