// Actions on motion over the clip: layers, pose drivers and the ragdoll.
#include "editor/edit_files.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"

namespace sinew {

void addMotionActions(std::vector<Action>& all) {
  all.push_back({"Model/Keys",
                 "Keys and curves",
                 {"Ctrl+Shift+K"},
                 "below the timeline: keys of the clip, curves of the selected joint",
                 [](Viewer& v) { v.ui.keys.shown = !v.ui.keys.shown; },
                 [](const Viewer& v) { return v.ui.keys.shown; }});
  all.push_back({"Model/Keys",
                 "New clip",
                 {"Ctrl+N"},
                 "without keys; an edited pose becomes its first key",
                 posable([](Viewer& v) {
                   newClip(v.session.document);
                   v.ui.keys.shown = true;
                 })});
  all.push_back({"Model/Keys",
                 "Duplicate clip",
                 {"Ctrl+Shift+D"},
                 "copies the clip on the timeline",
                 posable(onDocument(duplicateClip))});
  all.push_back({"Model/Keys", "Remove clip", {}, "", posable(onDocument(removeClip))});
  all.push_back({"Model/Keys",
                 "Set keys",
                 {"Ctrl+I"},
                 "for every edited joint of the pose, or for the selected joint",
                 posable(onDocument(setKeysHere))});
  all.push_back({"Model/Keys",
                 "Remove keys",
                 {"Ctrl+Shift+I"},
                 "of the selected joint at this time; of all joints if none is selected",
                 posable(onDocument(removeKeysHere))});
  all.push_back(toggle("Model/Keys", "Automatic keys", "Ctrl+Alt+I",
                       "every edit of the pose sets a key at the current time",
                       &Document::autoKey));
  all.push_back({"Model/Motion",
                 "Layers",
                 {"Ctrl+Shift+L"},
                 "over the clip; their targets are dragged in the view",
                 posable([](Viewer& v) { showTab(v.session.document, v.ui, SideTab::layers); })});
  all.push_back({"Model/Motion",
                 "Save the layers",
                 {"Ctrl+L"},
                 "as JSON, for --layers",
                 posable(saving(SaveKind::layers))});
  all.push_back({"Model/Motion",
                 "Pose drivers",
                 {},
                 "helper joints and shapes that follow the pose",
                 posable([](Viewer& v) { showTab(v.session.document, v.ui, SideTab::drivers); })});
  all.push_back({"Model/Motion",
                 "Save the pose drivers",
                 {},
                 "beside the model",
                 posable(saving(SaveKind::drivers))});
  all.push_back({"Model/Motion",
                 "Fall",
                 {"U"},
                 "lets the model fall from its pose; a second time: back to the animation",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::ragdoll);
                   toggleFall(v.session.document, v.session.play);
                 },
                 [](const Viewer& v) { return ragdollActive(v.session.play); }});
  all.push_back(
      {"Model/Motion", "Throw a ball", {"Shift+U"}, "from the camera at the model", [](Viewer& v) {
         throwBall(v.session.document, v.session.play, computeEye(v.session.document, v.ui));
       }});
  all.push_back({"Model/Motion",
                 "Bodies and limits",
                 {"Y"},
                 "drawn over the model, coloured by the severity of their joints",
                 [](Viewer& v) { v.session.play.shapes = !v.session.play.shapes; },
                 [](const Viewer& v) { return v.session.play.shapes; }});
  all.push_back({"Model/Motion",
                 "Record",
                 {"Shift+Y"},
                 "record the fall as a clip",
                 [](Viewer& v) {
                   recordRagdoll(v.session.document, v.session.play, !v.session.play.recording);
                 },
                 [](const Viewer& v) { return v.session.play.recording; }});
  all.push_back(
      {"Model/Motion", "Export the recording", {"Ctrl+Shift+E"}, "as .glb", [](Viewer& v) {
         exportRagdoll(v.session.document, v.session.play);
       }});
  all.push_back({"Model/Motion", "Save the set-up", {}, "beside the model", [](Viewer& v) {
                   ragdollConfig(v.session.document,
                                 v.session.play); // it may have to be fitted first
                   saveEdits(v.session, SaveKind::ragdoll);
                 }});
}

} // namespace sinew
