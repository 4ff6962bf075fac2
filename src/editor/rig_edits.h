// Edits of the whole rig, on a thread: weights from another model, one side for the other, a new
// bind pose, fewer joints. Each is one row of a table, and one step of the history: what the
// commands transfer, mirror, repose and reduce write to a file becomes Edit::model.
#pragma once

#include "animation/pose.h"
#include "bake/reduce_joints.h"
#include "editor/tasks/task.h"
#include "model/model.h"
#include "rig/subdivide.h"
#include "weights/mirror_rig.h"
#include "weights/templates/arm_pose.h"
#include "weights/transfer_rig.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct Document;
struct Session;

enum class RigEditKind {
  take,   // the skeleton and weights of another model, for these meshes
  dress,  // the meshes of another model get weights of this one
  mirror, // one side for the other
  repose, // another bind pose
  reduce, // fewer joints, or fewer weights per vertex
};

// What is chosen in the panel.
struct RigEditChoices {
  std::string other;           // the other model for take and dress: a file, or demo:NAME
  TransferRigOptions transfer; // dress ignores what needs weights, which clothes lack
  MirrorRigOptions mirror;
  std::optional<ArmPose> arms; // the new bind pose; none: the pose on screen
  bool exact = false;          // clips look as before with the new bind pose: offset joints
  std::uint32_t joints = 0;    // number of joints that stay; 0: as many as the tolerance asks for
  float tolerance = 0.005f;    // largest error, share of the model's size
  std::uint32_t influences = 4;
};

struct RigEditWork {
  Model model; // has painted weights, laid splines and edited clips
  Pose pose;   // the pose on screen
  RigEditChoices choices;
};

struct RigEditResult {
  Model model;
  std::string step;                         // "Mirror the rig"
  std::vector<std::string> lines;           // report of what was done and what was measured
  std::vector<TransferOrigin> origins = {}; // origins of the last vertices' weights, if transferred
};

struct RigEdit {
  RigEditKind kind = RigEditKind::take;
  const char* verb;          // the word for the task that runs: "Mirroring"
  bool skinned = true;       // the model needs a skin
  bool keepsDrivers = false; // the drivers that the result can have are kept
  bool sameVertices = false; // the map of velocity skinning stays
  RigEditResult (*run)(const RigEditWork& work, const Progress& progress) = nullptr;
};

// All edits in the order of RigEditKind.
std::span<const RigEdit> rigEdits();

struct RigEditState {
  RigEditChoices choices;
  std::unique_ptr<Task<RigEditResult>> job;
  RigEditKind kind = RigEditKind::take;         // kind of the work under way, else of the last one
  std::uint64_t revision = 0, clipRevision = 0; // the document's revisions when the work began
  std::string problem;                          // why the last attempt failed
  std::vector<std::string> lines;               // report on the last result
  std::shared_ptr<const Model> made;            // the last result: `lines` are shown with it
  std::vector<TransferOrigin> origins;          // origins of its transferred weights; else empty
  bool showsMatches = false;                    // vertex colours show the matches, not the bones
};

// Why the work cannot be done now; empty: it can.
std::string rigEditProblem(const Session& session, RigEditKind kind);

// Does nothing if there is a problem or another edit is under way.
void startRigEdit(Session& session, RigEditKind kind);
// Starts a transfer with that file as the other model.
void startTransfer(Session& session, bool dress, const std::string& file);
void cancelRigEdit(Session& session);
bool pollRigEdit(Session& session); // true when an edit has ended
// Colours the last result by the origin of its weights (matchColors()), or ends that. The colours
// also end when that result is no longer shown.
bool canShowMatches(const Session& session);
void showMatches(Session& session, bool shown);
void followMatches(Session& session);                   // every frame
std::vector<vec3> shownMatches(const Session& session); // empty: not shown
// Call it after another model has been opened.
void forgetRigEdit(RigEditState& state);

// Subdivides the triangles at the selected joint at once, as a step of the history. Says so if
// there are none.
void subdivideSelected(Document& document, Subdivision kind);

// Splits 1:4 the triangles that the shown pose bends by more than so many degrees
// (bentTriangles()), by the first view's method.
void subdivideBent(Document& document, float degrees);

} // namespace sinew
