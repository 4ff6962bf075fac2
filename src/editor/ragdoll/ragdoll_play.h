// The ragdoll of the model: falling, what drives it, and the way back to the animation.
// While it is active its pose is shown in place of the clip's or the held one.
#pragma once

#include "editor/document/document.h"
#include "editor/tasks/file_watch.h"
#include "editor/tasks/task.h"
#include "physics/ragdoll.h"
#include "ragdoll_run/ragdoll_file.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// A fall under way.
struct RagdollFall {
  PhysicsWorld world;
  Ragdoll ragdoll;
  StepClock clock;
  RagdollSwitch switched;
  RagdollState state;
  double seconds = 0.0;
  double pace = 1.0;     // simulated seconds a real one, of late; below 1: slow motion
  bool paceTold = false; // a message has reported slow motion
  double followed = 0.0; // time of the animation beneath it, at the last step
  Pose animated;         // pose at that time, while it is wanted
  bool walls = false;
  glm::dvec3 middle{0.0}; // the point between the walls, world space

  RagdollFall(const Model& model, const RagdollConfig& config, const PhysicsOptions& options)
      : world(options),
        ragdoll(world, model, config, {{0.0, findGround(config), 0.0}, glm::dvec3(0.0)}) {}
};

// The distance from the middle to each wall, metres.
double wallDistance(const RagdollFall& fall);

struct RagdollPlay {
  std::optional<RagdollFile> file; // the model's file; made or read when first needed
  FileWatch watch;
  bool changed = false; // edited and not saved
  // Fits or reads the file, since large characters take seconds; null: on the caller's thread.
  std::unique_ptr<Task<RagdollFile>> fitting;
  bool fallsWhenFitted = false;
  std::string problem; // why this model has no ragdoll
  // The most real seconds that a frame simulates, but at least one step. A slow ragdoll then falls
  // in slow motion and the window stays responsive.
  double frameSeconds = std::numeric_limits<double>::infinity();

  // What is chosen in the panel.
  JointSolver solver = kDefaultSolver;
  float strength = 0.0f; // strength of the drives
  std::string partial;   // a bone; empty: the whole body
  bool walls = false;
  bool shapes = false; // bodies and limits are drawn

  std::unique_ptr<RagdollFall> fall;
  std::optional<Pose> pose; // the shown pose: of the fall, or of the way back
  double backLeft = 0.0;    // seconds left of the cross-fade to the animation; 0: none
  bool recording = false;
  std::vector<Pose> recorded;
  double recordedUntil = 0.0;

  vec3 awayBefore{0.0f}; // Document::framing.ragdollAway when the way back began

  bool dragging = false;
  glm::vec3 dragPoint{0.0f}; // model space
};

bool ragdollActive(const RagdollPlay& play);
bool ragdollMoves(const RagdollPlay& play); // whether the next frame differs from this one

// Takes a changed configuration if it is valid, else reports the reason. A fall under way continues
// with it.
void changeRagdoll(Document& document, RagdollPlay& play, RagdollConfig config);

// Starts the fall; while the ragdoll is being fitted, it falls once that has ended.
void startRagdoll(Document& document, RagdollPlay& play);
void endRagdoll(Document& document, RagdollPlay& play); // cross-fades to the animation
void toggleFall(Document& document, RagdollPlay& play); // starts or ends it
// Throws a ball at the model. from: the eye in model space.
void throwBall(Document& document, RagdollPlay& play, const vec3& from);
void setRagdollStrength(RagdollPlay& play, float strength);

void forgetRagdoll(Document& document, RagdollPlay& play); // another model has been opened

// Continues the simulation; marks the document stale while something moves.
void advanceRagdoll(Document& document, RagdollPlay& play, float seconds);
// Poses the workbench by the ragdoll; false while there is none.
bool poseByRagdoll(Document& document, const RagdollPlay& play);

} // namespace sinew
