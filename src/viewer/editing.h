// Editing the pose and the zones in the window: what is edited, its history, and the tools in the
// view. Panels and tools change edit.history.live() and commit(); applySettings() brings rig and
// GPU up to date with it once a frame.
//
// A pose being edited is held: the clip is left where it is until the pose is let go.
#pragma once

#include "animation/mirror.h"
#include "animation/movement.h"
#include "animation/pose_edit.h"
#include "core/history.h"
#include "rig/zone_table.h"
#include "viewer/gizmo.h"
#include "viewer/paint_state.h"
#include "viewer/zone_rings.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct Viewer;
struct Draft;

// What undo and redo go through.
struct Edit {
  std::optional<Pose> pose; // none: the clip's
  ZoneTable zones;
  std::shared_ptr<const Model> model; // null: the model as opened
  std::shared_ptr<const Draft> draft; // a skeleton being edited; then the model is unbound
  PaintedRig weights = {};            // empty: the model's own
  Movement movement = {};

  bool operator==(const Edit&) const = default;
};

enum class Tool {
  turn,  // rings about the selected joint
  move,  // arrows
  reach, // arrows: the joint moves by turns of the bones above it
  zone,  // the zone's rings
  paint, // the brush
};

// What the mouse does with the tool's handles.
struct ToolState {
  Tool tool = Tool::turn;
  TurnAxes axes = TurnAxes::joint;
  std::optional<std::uint32_t> about; // the node that was selected last: another chooses its tool
  std::optional<Grip> handle;         // under the mouse, or dragged
  std::optional<ZoneEnd> end;         // of the zone, likewise
  std::optional<RingDrag> turning;
  std::optional<ArrowDrag> moving;
  std::optional<ZoneDrag> widening;
  std::size_t view = 0; // where the drag began
  Transform before;     // of the joint, when it began
  Pose held;            // the whole pose, likewise, where more than the joint turns
  mat4 parent{1.0f};    // modelFromParent, likewise
  std::string readout;  // beside the mouse while dragging
  bool pressed = false; // the mouse button belongs to the tool
};

// What the mouse does with the targets of layers (target_tool.h).
struct TargetGrip {
  std::size_t layer = 0;
  bool pole = false;
  Grip handle = Grip::screen;
};

struct TargetTool {
  std::optional<TargetGrip> under; // the mouse, or dragged
  std::optional<ArrowDrag> drag;
  vec3 before{0.0f};    // the point, when the drag began
  std::size_t view = 0; // where it began
  bool pressed = false; // the mouse button belongs to a target
};

struct Editing {
  History<Edit> history;
  Edit applied;           // what the workbench has
  Edit saved;             // what files have of it
  bool everBound = false; // some step of the history has a model or draft of its own
  ToolState tools;
  TargetTool targets;
  PaintState paint;
  vec3 away{0.0f}; // carriedAway() when the pose was taken up: the camera stays
  // Made when first needed, for the model or joint they are about.
  std::optional<MirrorMap> mirror;
  std::vector<BoneAxis> axes;
  std::vector<Zone> fitted;
  std::optional<ZoneShape> shape;
  // Angles as typed: a turn may be said in many ways, and sliders must not jump between them.
  vec3 euler{0.0f};
  AxisTurn axisTurn;
  quat told{1.0f, 0.0f, 0.0f, 0.0f}; // the turn that both are about
};

// A new model has come. What of the editing before is to stay: after a reload all, if its nodes are
// those of before; where a motion was put on the model, the layers.
enum class Kept { nothing, layers, everything };
void startEditing(Viewer& viewer, Kept kept);

// The layers that a model can have. What has to be left out is said, and why.
Movement layersFor(Viewer& viewer, const Model& model, const Movement& movement);

// Which joint is the other side's of which.
const MirrorMap& mirrorOf(Viewer& viewer);

bool posing(const Viewer& viewer); // a pose is held

// The pose to be changed; without one, that of the moment is taken up and the clip paused.
Pose& editedPose(Viewer& viewer);
void releasePose(Viewer& viewer); // back to the clip

// What has been changed and is no step yet is taken back: a drag or stroke under way, whose mouse
// button does nothing more, or a slider's, which goes on where the mouse moves it. False where
// there was nothing.
bool takeBackEdit(Viewer& viewer);

// What has been changed becomes a step of the history.
void commitEdit(Viewer& viewer, std::string what);
void undoEdit(Viewer& viewer);
void redoEdit(Viewer& viewer);

// Of the selected joint (all of its transform), and of all.
void resetJoint(Viewer& viewer);
void resetPose(Viewer& viewer);

// The whole pose left to right; or the selected joint and what hangs on it onto the other side.
// Both say what has no other side.
void mirrorPose(Viewer& viewer);
void mirrorJoint(Viewer& viewer);

// The zone of the selected joint, if it turns against a parent.
const ZoneShape* selectedZone(Viewer& viewer);
// What is said of it, to be changed.
JointZone saidOfSelected(const Viewer& viewer);
void sayOfSelected(Viewer& viewer, const JointZone& said);

// Files. A pose, zones or a movement by what the file says it is; true if it is one of them.
// Problems are shown.
bool openEdits(Viewer& viewer, const std::string& file);
// The command line's pose. What is wrong with it ends a run of --frames, as a model would.
void holdSavedPose(Viewer& viewer);
void savePose(Viewer& viewer);
void saveZones(Viewer& viewer);
void saveMovement(Viewer& viewer);

// Brings the workbench up to date; true if zones have changed and the methods are to be bound anew.
bool applyEdits(Viewer& viewer);

} // namespace sinew
