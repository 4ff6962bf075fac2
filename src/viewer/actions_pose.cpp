// Actions that edit the pose and the bend ranges, and the tools in the picture.
#include "editor/bind/binding.h"
#include "editor/edit_files.h"
#include "editor/pose/editing.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"

namespace sinew {
namespace {

void step(Viewer& viewer, void (*run)(Document&)) {
  if (binding(viewer.session.bind))
    return notify(viewer.session.document, "weights are being computed: Escape cancels");
  if (hasModel(viewer.session.document) && !viewer.session.document.crowd)
    run(viewer.session.document);
}

} // namespace

void addPoseActions(std::vector<Action>& all) {
  all.push_back(repeated({"Edit", "Undo", {"Ctrl+Z"}, "", [](Viewer& v) { step(v, undoEdit); }}));
  all.push_back(repeated(
      {"Edit", "Redo", {"Ctrl+Y", "Ctrl+Shift+Z"}, "", [](Viewer& v) { step(v, redoEdit); }}));
  all.push_back(toolAction("Edit/Pose", "Rotate joints", "E", "rings about the selected joint",
                           Tool::rotate));
  all.push_back(
      toolAction("Edit/Pose", "Move joints", "K", "arrows at the selected joint", Tool::move));
  all.push_back(toolAction("Edit/Pose", "Reach with joints", "Shift+K",
                           "arrows at the selected joint, a hand or a foot: the two bones above "
                           "it rotate to reach the target",
                           Tool::reach));
  all.push_back(
      toolAction("Edit/Pose", "Bend range", "Z",
                 "the part of a bone over which a joint's rotation blends in, as rings to "
                 "drag",
                 Tool::zone));
  all.push_back({"Edit/Pose",
                 "The model's axes",
                 {"A"},
                 "rings and arrows use the model's axes, or the joint's own",
                 [](Viewer& v) {
                   RotationAxes& axes = v.session.document.axes;
                   axes = axes == RotationAxes::model ? RotationAxes::joint : RotationAxes::model;
                 },
                 [](const Viewer& v) { return v.session.document.axes == RotationAxes::model; }});
  all.push_back({"Edit/Pose",
                 "Reset the joint",
                 {"Delete"},
                 "the selected joint to its rest pose",
                 [](Viewer& v) {
                   if (drafting(v.session.document))
                     return removeDraftJoint(v.session.document, v.session.bind);
                   posable(onDocument(resetJoint))(v);
                 }});
  all.push_back({"Edit/Pose",
                 "Reset the pose",
                 {"Shift+Delete"},
                 "all joints to the rest pose",
                 posable(onDocument(resetPose))});
  all.push_back({"Edit/Pose", "Mirror the pose", {"J"}, "left to right", posable([](Viewer& v) {
                   mirrorPose(v.session.document, v.session.posing);
                 })});
  all.push_back({"Edit/Pose",
                 "Mirror the joint",
                 {"Shift+J"},
                 "the joint and those below it onto the other side",
                 posable([](Viewer& v) { mirrorJoint(v.session.document, v.session.posing); })});
  all.push_back({"Edit/Pose",
                 "Back to the clip",
                 {"Backspace"},
                 "discard the edited pose; undo restores it",
                 posable(onDocument(releasePose))});
  all.push_back({"Edit/Pose",
                 "Save the pose",
                 {"Ctrl+Alt+S"},
                 "as JSON, for --pose",
                 posable(saving(SaveKind::pose))});
  all.push_back({"Edit/Pose",
                 "Open a pose or edits...",
                 {"Ctrl+P"},
                 "saved as JSON; or drop the file on the window",
                 [](Viewer& v) { openBrowser(v.ui, Browse::edits); }});
  all.push_back({"Edit/Pose",
                 "Save the bend ranges",
                 {"Ctrl+Alt+Z"},
                 "to a file beside the model, which every command reads",
                 posable(saving(SaveKind::bendRanges))});
}

} // namespace sinew
