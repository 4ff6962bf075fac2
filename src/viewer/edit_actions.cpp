// What keys and menus do with poses and zones: a part of the table of actions.

#include "viewer/actions.h"
#include "viewer/bind.h"
#include "viewer/file_browser.h"
#include "viewer/paint_tool.h"
#include "viewer/session.h"

namespace sinew {
namespace {

constexpr const char* kDrafting = "the skeleton is being edited: bind it, or leave it, first";

void chooseTool(Viewer& viewer, Tool tool) {
  if (drafting(viewer)) return toast(viewer, kDrafting);
  viewer.edit.tools.tool = tool;
  bool& bring = tool == Tool::zone    ? viewer.edit.bringZone
                : tool == Tool::paint ? viewer.edit.paint.bring
                                      : viewer.edit.bringPose;
  bring = true;
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

// Nothing to pose: no model, a crowd, or a skeleton being edited.
std::function<void(Viewer&)> posable(void (*run)(Viewer&)) {
  return [run](Viewer& v) {
    if (drafting(v)) return toast(v, kDrafting);
    if (hasModel(v) && !v.crowd) run(v);
  };
}

void step(Viewer& viewer, void (*run)(Viewer&)) {
  if (binding(viewer)) return toast(viewer, "weights are being made: Escape stops that");
  if (hasModel(viewer) && !viewer.crowd) run(viewer);
}

} // namespace

void addEditActions(std::vector<Action>& all) {
  all.push_back(toolAction("Turn joints", "E", "rings about the selected joint", Tool::turn));
  all.push_back(toolAction("Move joints", "K", "arrows at the selected joint", Tool::move));
  all.push_back(toolAction("Reach with joints", "Shift+K",
                           "arrows at the selected joint, a hand or a foot: the two bones above "
                           "it turn to bring it there",
                           Tool::reach));
  all.push_back(toolAction("Zones", "Z",
                           "where along its bone a joint's movement grows: rings to "
                           "drag",
                           Tool::zone));
  all.push_back(toolAction("Paint weights", "Q",
                           "a brush on the skin of the selected joint; Shift smooths, Ctrl takes "
                           "away, Alt leaves the mouse to the camera",
                           Tool::paint));
  all.push_back({"Pose",
                 "Paint the splines",
                 {"Shift+Q"},
                 "the weights of the model's free splines, not of its bones",
                 [](Viewer& v) {
                   bool& splines = v.edit.paint.choices.splines;
                   splines = !splines && !v.bench.model.splines.empty();
                   chooseTool(v, Tool::paint);
                   if (!splines) toast(v, "the brush is for the bones");
                 },
                 [](const Viewer& v) { return v.edit.paint.choices.splines; }});
  all.push_back({"Pose",
                 "Larger brush",
                 {},
                 "] while painting",
                 [](Viewer& v) { paintKey(v, "]"); },
                 {},
                 true});
  all.push_back({"Pose",
                 "Smaller brush",
                 {},
                 "[ while painting",
                 [](Viewer& v) { paintKey(v, "["); },
                 {},
                 true});
  all.push_back({"Pose",
                 "The model's axes",
                 {"A"},
                 "turn and move along those, or along the joint's own",
                 [](Viewer& v) {
                   TurnAxes& axes = v.edit.tools.axes;
                   axes = axes == TurnAxes::model ? TurnAxes::joint : TurnAxes::model;
                 },
                 [](const Viewer& v) { return v.edit.tools.axes == TurnAxes::model; }});
  all.push_back({"Pose", "Undo", {"Ctrl+Z"}, "", [](Viewer& v) { step(v, undoEdit); }, {}, true});
  all.push_back({"Pose",
                 "Redo",
                 {"Ctrl+Y", "Ctrl+Shift+Z"},
                 "",
                 [](Viewer& v) { step(v, redoEdit); },
                 {},
                 true});
  all.push_back({"Pose", "Reset the joint", {"Delete"}, "the selected one, to rest", [](Viewer& v) {
                   if (drafting(v)) return removeDraftJoint(v);
                   posable(resetJoint)(v);
                 }});
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
  all.push_back({"Pose",
                 "Save the weights",
                 {"Ctrl+Shift+W"},
                 "beside the model, where they are read with it",
                 posable(saveWeights)});
  all.push_back({"Pose",
                 "Layers",
                 {"Ctrl+Shift+L"},
                 "over the clip; what they reach for or look at is dragged in the view",
                 posable([](Viewer& v) { v.edit.bringLayers = true; })});
  all.push_back(
      {"Pose", "Save the layers", {"Ctrl+L"}, "as JSON, for --movement", posable(saveMovement)});
}

} // namespace sinew
