// What keys and menus do with poses and zones: a part of the table of actions.

#include "viewer/actions.h"
#include "viewer/file_browser.h"
#include "viewer/session.h"

namespace sinew {
namespace {

void chooseTool(Viewer& viewer, Tool tool) {
  viewer.edit.tools.tool = tool;
  (tool == Tool::zone ? viewer.edit.bringZone : viewer.edit.bringPose) = true;
  if (!viewer.selected) toast(viewer, "select a joint: in the list, or click a bone");
}

Action toolAction(const char* name, const char* key, const char* help, Tool tool) {
  return {"Pose",
          name,
          {key},
          help,
          [tool](Viewer& v) { chooseTool(v, tool); },
          [tool](const Viewer& v) { return v.edit.tools.tool == tool; }};
}

// Nothing to pose: no model, or a crowd.
std::function<void(Viewer&)> posable(void (*run)(Viewer&)) {
  return [run](Viewer& v) {
    if (hasModel(v) && !v.crowd) run(v);
  };
}

} // namespace

void addEditActions(std::vector<Action>& all) {
  all.push_back(toolAction("Turn joints", "E", "rings about the selected joint", Tool::turn));
  all.push_back(toolAction("Move joints", "K", "arrows at the selected joint", Tool::move));
  all.push_back(toolAction("Zones", "Z",
                           "where along its bone a joint's movement grows: rings to "
                           "drag",
                           Tool::zone));
  all.push_back({"Pose",
                 "The model's axes",
                 {"A"},
                 "turn and move along those, or along the joint's own",
                 [](Viewer& v) {
                   TurnAxes& axes = v.edit.tools.axes;
                   axes = axes == TurnAxes::model ? TurnAxes::joint : TurnAxes::model;
                 },
                 [](const Viewer& v) { return v.edit.tools.axes == TurnAxes::model; }});
  all.push_back({"Pose", "Undo", {"Ctrl+Z"}, "", posable(undoEdit), {}, true});
  all.push_back({"Pose", "Redo", {"Ctrl+Y", "Ctrl+Shift+Z"}, "", posable(redoEdit), {}, true});
  all.push_back(
      {"Pose", "Reset the joint", {"Delete"}, "the selected one, to rest", posable(resetJoint)});
  all.push_back(
      {"Pose", "Reset the pose", {"Shift+Delete"}, "all joints, to rest", posable(resetPose)});
  all.push_back({"Pose", "Mirror the pose", {"J"}, "left to right", posable(mirrorPose)});
  all.push_back({"Pose",
                 "Mirror the joint",
                 {"Shift+J"},
                 "it and those below onto the other side",
                 posable(mirrorJoint)});
  all.push_back({"Pose",
                 "Back to the clip",
                 {"Backspace"},
                 "let go of the edited pose; undo brings it back",
                 posable(releasePose)});
  all.push_back({"Pose", "Save the pose", {"Ctrl+S"}, "as JSON, for --pose", posable(savePose)});
  all.push_back({"Pose",
                 "Open a pose, zones or layers...",
                 {"Ctrl+P"},
                 "saved as JSON; or drop the file on the window",
                 [](Viewer& v) { openBrowser(v, Browse::edits); }});
  all.push_back({"Pose",
                 "Save the zones",
                 {"Ctrl+Shift+S"},
                 "beside the model, where they are read with it",
                 posable(saveZones)});
  all.push_back(
      {"Pose", "Save the layers", {"Ctrl+L"}, "as JSON, for --movement", posable(saveMovement)});
}

} // namespace sinew
