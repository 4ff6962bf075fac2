#include "viewer/actions.h"

#include "editor/bind/binding.h"
#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/edit_files.h"
#include "editor/model_files.h"
#include "editor/pose/editing.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/session.h"
#include "editor/time/playback.h"
#include "skinning/methods.h"
#include "viewer/panels/file_browser.h"
#include "viewer/panels/panels.h"
#include "viewer/tools/paint_tool.h"
#include "viewer/viewer_state.h"
#include "viewer/viewport.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace sinew {
namespace {

std::function<void(Viewer&)> onDocument(void (*run)(Document&)) {
  return [run](Viewer& v) { run(v.session.document); };
}

std::function<void(Viewer&)> onSession(void (*run)(Session&)) {
  return [run](Viewer& v) { run(v.session); };
}

// A toggle of one of the settings.
Action toggle(std::string group, std::string name, std::string key, std::string help,
              bool Settings::*field) {
  Action action{std::move(group), std::move(name), {}, std::move(help), {}};
  if (!key.empty()) action.keys.push_back(std::move(key));
  action.run = [field](Viewer& v) {
    v.session.document.settings.*field = !(v.session.document.settings.*field);
  };
  action.checked = [field](const Viewer& v) { return v.session.document.settings.*field; };
  return action;
}

void addFileActions(std::vector<Action>& all) {
  all.push_back({"File", "Open...", {"Ctrl+O", "O"}, "choose a model file", [](Viewer& v) {
                   openBrowser(v.ui, Browse::model);
                 }});
  all.push_back({"File",
                 "Next file",
                 {"PageDown"},
                 "of those opened together, else of the folder",
                 [](Viewer& v) { stepFile(v.session, 1); }});
  all.push_back({"File", "Previous file", {"PageUp"}, "of the same files", [](Viewer& v) {
                   stepFile(v.session, -1);
                 }});
  all.push_back({"File",
                 "Put motion on the model...",
                 {"Ctrl+M"},
                 "a file whose animation this model plays",
                 [](Viewer& v) { openBrowser(v.ui, Browse::motion); }});
  all.push_back(
      {"File", "Reload", {"F5"}, "read the file again; it also happens by itself", [](Viewer& v) {
         reloadModel(v.session);
       }});
  all.push_back({"File",
                 "Save the model as .glb",
                 {"Ctrl+E"},
                 "mesh, skeleton, weights, clips and textures",
                 onDocument(saveModel)});
  all.push_back({"File",
                 "Export a picture or film...",
                 {"Ctrl+R"},
                 "PNG, GIF or MP4 of the views, with a size and background of your choice",
                 [](Viewer& v) { v.ui.recording = true; }});
  all.push_back({"File",
                 "Screenshot",
                 {"F12", "P"},
                 "save the view as a PNG without the panels",
                 [](Viewer& v) { v.ui.screenshot = true; }});
  all.push_back(
      {"File", "Screenshot of the window", {"Shift+P"}, "save all of it as a PNG", [](Viewer& v) {
         v.ui.screenshotWindow = true;
       }});
  all.push_back({"File", "Quit", {"Ctrl+Q"}, "close the window", onSession(askToQuit)});
}

void stepClip(Viewer& viewer, int step) {
  const auto count = static_cast<int>(viewer.session.document.bench.model.clips.size());
  if (count == 0) return;
  const int now = viewer.session.document.bench.clip
                      ? static_cast<int>(*viewer.session.document.bench.clip)
                      : (step > 0 ? -1 : 0);
  const int next = (now + step + count) % count;
  setClip(viewer.session.document,
          clipWord(viewer.session.document.bench.model, static_cast<std::uint32_t>(next)));
}

void addPlayActions(std::vector<Action>& all) {
  all.push_back({"Play",
                 "Play or pause",
                 {"Space"},
                 "",
                 [](Viewer& v) {
                   const bool held =
                       holdsPose(v.session.document); // playing goes on where the clip was left
                   releasePose(v.session.document);
                   if (held)
                     v.session.document.settings.playing = true;
                   else
                     togglePlaying(v.session.document.settings,
                                   playedRange(v.session.document.bench,
                                               wrapOf(v.session.document.settings)));
                 },
                 [](const Viewer& v) { return v.session.document.settings.playing; }});
  all.push_back({"Play",
                 "Step forward",
                 {"Right"},
                 "pause, and go to the clip's next frame",
                 [](Viewer& v) { stepFrames(v.session.document, 1); },
                 {},
                 true});
  all.push_back({"Play",
                 "Step back",
                 {"Left"},
                 "pause, and go to the clip's previous frame",
                 [](Viewer& v) { stepFrames(v.session.document, -1); },
                 {},
                 true});
  all.push_back({"Play", "To the start", {"Home"}, "of the range", [](Viewer& v) {
                   v.session.document.settings.time = v.session.document.settings.rangeStart;
                 }});
  all.push_back({"Play",
                 "Next key",
                 {">"},
                 "pause, and go to it: the selected joint's, or the clip's",
                 [](Viewer& v) { stepKey(v.session.document, 1); },
                 {},
                 true});
  all.push_back({"Play",
                 "Previous key",
                 {"<"},
                 "",
                 [](Viewer& v) { stepKey(v.session.document, -1); },
                 {},
                 true});
  all.push_back({"Play", "The range starts here", {"{"}, "only the range plays", [](Viewer& v) {
                   setRangeStart(v.session.document, v.session.document.settings.time);
                 }});
  all.push_back({"Play", "The range ends here", {"}"}, "only the range plays", [](Viewer& v) {
                   setRangeEnd(v.session.document, v.session.document.settings.time);
                 }});
  all.push_back({"Play", "The whole clip", {"Shift+Home"}, "plays again", onDocument(resetRange)});
  all.push_back({"Play", "Next clip", {"]"}, "", [](Viewer& v) { stepClip(v, 1); }, {}, true});
  all.push_back({"Play", "Previous clip", {"["}, "", [](Viewer& v) { stepClip(v, -1); }, {}, true});
  all.push_back(toggle("Play", "Loop", "L", "play the clip again when it ends", &Settings::loop));
  all.push_back(toggle("Play", "Ping-pong", "Shift+L", "play the clip to its end and back",
                       &Settings::pingPong));
  all.push_back({"Play",
                 "Rest pose",
                 {"R"},
                 "the pose the file gives without animation",
                 [](Viewer& v) {
                   setClip(v.session.document,
                           v.session.document.settings.clip == "none" ? "" : "none");
                 },
                 [](const Viewer& v) { return v.session.document.settings.clip == "none"; }});
  all.push_back({"Play",
                 "Bind pose",
                 {"B"},
                 "the pose the mesh was modelled in",
                 [](Viewer& v) {
                   setClip(v.session.document,
                           v.session.document.settings.clip == "bind" ? "" : "bind");
                 },
                 [](const Viewer& v) { return v.session.document.settings.clip == "bind"; }});
}

void addOrbitStep(std::vector<Action>& all, const char* name, const char* key, float dx, float dy) {
  all.push_back({"View",
                 name,
                 {key},
                 "",
                 [=](Viewer& v) { orbitBy(v.session.document.settings, dx, dy); },
                 {},
                 true});
}

void addStandardView(std::vector<Action>& all, const char* name, const char* key, float yaw,
                     float pitch) {
  all.push_back({"View", name, {key}, "", [=](Viewer& v) {
                   v.session.document.settings.yaw = yaw;
                   v.session.document.settings.pitch = pitch;
                 }});
}

void addViewActions(std::vector<Action>& all) {
  all.push_back({"View", "Frame the model", {"F"}, "the whole of it in view", [](Viewer& v) {
                   frameModel(v.session.document);
                 }});
  all.push_back({"View",
                 "Frame the joint",
                 {"."},
                 "the selected one; also a double click on its name",
                 onDocument(frameJoint)});
  all.push_back({"View",
                 "Follow the model",
                 {"C"},
                 "the camera follows the model when it moves away",
                 [](Viewer& v) { v.session.document.follow = !v.session.document.follow; },
                 [](const Viewer& v) { return v.session.document.follow; }});
  all.push_back(
      toggle("View", "Turntable", "T", "orbit the model continuously", &Settings::turntable));
  addStandardView(all, "From the front", "Shift+F", 0.0f, 0.0f);
  addStandardView(all, "From the side", "Shift+S", 90.0f, 0.0f);
  addStandardView(all, "From the back", "Shift+B", 180.0f, 0.0f);
  addStandardView(all, "From above", "Shift+T", 0.0f, 89.0f);
  addOrbitStep(all, "Orbit left", "Shift+Left", -0.03f, 0.0f);
  addOrbitStep(all, "Orbit right", "Shift+Right", 0.03f, 0.0f);
  addOrbitStep(all, "Orbit up", "Shift+Up", 0.0f, 0.03f);
  addOrbitStep(all, "Orbit down", "Shift+Down", 0.0f, -0.03f);
  all.push_back({"View",
                 "Nearer",
                 {"+", "="},
                 "",
                 [](Viewer& v) { zoomBy(v.session.document.settings, 1); },
                 {},
                 true});
  all.push_back({"View",
                 "Farther",
                 {"-"},
                 "",
                 [](Viewer& v) { zoomBy(v.session.document.settings, -1); },
                 {},
                 true});
  all.push_back(
      {"View", "Add a view", {"V"}, "another method beside the others", onDocument(addView)});
  all.push_back({"View",
                 "Remove the view",
                 {"Shift+V"},
                 "the active one, in the frame",
                 onDocument(removeView)});
  all.push_back({"View", "Next view", {"Ctrl+PageDown"}, "make it the active one", [](Viewer& v) {
                   nextView(v.session.document, 1);
                 }});
  all.push_back({"View", "Previous view", {"Ctrl+PageUp"}, "make it the active one", [](Viewer& v) {
                   nextView(v.session.document, -1);
                 }});
  all.push_back({"View",
                 "The view alone",
                 {"Enter"},
                 "the active view fills the picture; also a double click",
                 onDocument(toggleAlone),
                 [](const Viewer& v) { return v.session.document.views.alone; }});
  all.push_back({"View",
                 "Panels",
                 {"Tab"},
                 "show or hide all panels",
                 [](Viewer& v) {
                   v.ui.panels = !v.ui.panels;
                   if (!v.ui.panels) notify(v.session.document, "Tab shows the panels again");
                 },
                 [](const Viewer& v) { return v.ui.panels; }});
}

void addShowActions(std::vector<Action>& all) {
  all.push_back(toggle("Show", "Wireframe", "W", "the triangles' edges", &Settings::wireframe));
  all.push_back(toggle("Show", "Normals", "N", "the vertex normals", &Settings::normals));
  all.push_back(toggle("Show", "Skeleton", "S", "the bones over the mesh", &Settings::skeleton));
  all.push_back(toggle("Show", "Textures", "X", "the model's images", &Settings::textures));
  all.push_back(toggle("Show", "Ground grid", "G", "", &Settings::grid));
  all.push_back(
      toggle("Show", "Headlight", "", "the light moves with the camera", &Settings::headlight));
  all.push_back(toggle("Show", "Statistics", "I", "times and counts", &Settings::statistics));
  all.push_back({"Show",
                 "Weights",
                 {"H"},
                 "colour by the weight of the selected joint",
                 [](Viewer& v) {
                   v.session.document.heatMap = !v.session.document.heatMap;
                   if (v.session.document.heatMap) v.session.document.settings.difference.reset();
                   if (v.session.document.heatMap && !v.session.document.selected)
                     notify(v.session.document, "select a joint: in the list, or click a bone");
                 },
                 [](const Viewer& v) { return v.session.document.heatMap; }});
  all.push_back(
      {"Show",
       "Difference",
       {"D"},
       "colour by the distance from linear blending",
       onDocument(toggleDifference),
       [](const Viewer& v) { return v.session.document.settings.difference.has_value(); }});
  all.push_back({"Show",
                 "Dismiss",
                 {"Escape"},
                 "a drag, the recording, the message, the import, or the selected joint",
                 onSession(dismiss)});
  all.push_back(
      {"Show", "Report", {"M"}, "what was repaired or is missing in the model", [](Viewer& v) {
         v.ui.panels = true;
         showTab(v.session.document, v.ui, SideTab::model);
       }});
  all.push_back({"Show",
                 "Morph targets",
                 {"Shift+M"},
                 "sliders for the weights of the model's shapes",
                 [](Viewer& v) {
                   if (v.session.document.bench.model.morphTargets.empty())
                     return notify(v.session.document, "the model has no morph targets");
                   v.ui.panels = true;
                   showTab(v.session.document, v.ui, SideTab::morph);
                 }});
}

void addMethodActions(std::vector<Action>& all) {
  std::size_t number = 0;
  for (const Method& method : methods()) {
    ++number;
    Action action{"Method", std::string(method.title), {}, std::string(method.paper), {}};
    if (number <= 9) action.keys.push_back(std::to_string(number));
    action.run = [&method](Viewer& v) {
      setActiveChoice(v.session.document, {&method, activeChoice(v.session.document).parameters});
    };
    action.checked = [&method](const Viewer& v) {
      return activeChoice(v.session.document).method == &method;
    };
    all.push_back(std::move(action));
  }
}

constexpr const char* kDrafting = "the skeleton is being edited: bind it, or leave it, first";

void chooseTool(Viewer& viewer, Tool tool) {
  if (drafting(viewer.session.document)) return notify(viewer.session.document, kDrafting);
  viewer.session.document.tool = tool;
  showTab(viewer.session.document, viewer.ui,
          tool == Tool::zone    ? SideTab::zone
          : tool == Tool::paint ? SideTab::paint
                                : SideTab::pose);
  if (!viewer.session.document.selected)
    notify(viewer.session.document, "select a joint: in the list, or click a bone");
}

Action toolAction(const char* name, const char* key, const char* help, Tool tool) {
  return {"Pose",
          name,
          {key},
          help,
          [tool](Viewer& v) { chooseTool(v, tool); },
          [tool](const Viewer& v) { return v.session.document.tool == tool; }};
}

// Nothing to pose: no model, a crowd, or a skeleton being edited.
std::function<void(Viewer&)> posable(std::function<void(Viewer&)> run) {
  return [run = std::move(run)](Viewer& v) {
    if (drafting(v.session.document)) return notify(v.session.document, kDrafting);
    if (hasModel(v.session.document) && !v.session.document.crowd) run(v);
  };
}

void step(Viewer& viewer, void (*run)(Document&)) {
  if (binding(viewer.session.bind))
    return notify(viewer.session.document, "weights are being computed: Escape cancels");
  if (hasModel(viewer.session.document) && !viewer.session.document.crowd)
    run(viewer.session.document);
}

void addEditActions(std::vector<Action>& all) {
  all.push_back(toolAction("Rotate joints", "E", "rings about the selected joint", Tool::rotate));
  all.push_back(toolAction("Move joints", "K", "arrows at the selected joint", Tool::move));
  all.push_back(toolAction("Reach with joints", "Shift+K",
                           "arrows at the selected joint, a hand or a foot: the two bones above "
                           "it rotate to reach the target",
                           Tool::reach));
  all.push_back(toolAction("Zones", "Z",
                           "the part of a bone over which a joint's rotation blends in: rings to "
                           "drag",
                           Tool::zone));
  all.push_back(
      toolAction("Paint weights", "Q",
                 "a brush on the skin of the selected joint; Shift smooths, Ctrl subtracts, "
                 "Alt moves the camera",
                 Tool::paint));
  all.push_back({"Pose",
                 "Paint the splines",
                 {"Shift+Q"},
                 "the weights of the model's free splines, not of its bones",
                 [](Viewer& v) {
                   bool& splines = v.session.paint.choices.splines;
                   splines = !splines && !v.session.document.bench.model.splines.empty();
                   chooseTool(v, Tool::paint);
                   if (!splines) notify(v.session.document, "the brush is for the bones");
                 },
                 [](const Viewer& v) { return v.session.paint.choices.splines; }});
  all.push_back({"Pose",
                 "Larger brush",
                 {},
                 "] while painting",
                 [](Viewer& v) { paintKey(v.session.document, v.session.paint, "]"); },
                 {},
                 true});
  all.push_back({"Pose",
                 "Smaller brush",
                 {},
                 "[ while painting",
                 [](Viewer& v) { paintKey(v.session.document, v.session.paint, "["); },
                 {},
                 true});
  all.push_back({"Pose",
                 "The model's axes",
                 {"A"},
                 "rotate and move along those, or along the joint's own",
                 [](Viewer& v) {
                   RotationAxes& axes = v.session.document.axes;
                   axes = axes == RotationAxes::model ? RotationAxes::joint : RotationAxes::model;
                 },
                 [](const Viewer& v) { return v.session.document.axes == RotationAxes::model; }});
  all.push_back({"Pose", "Undo", {"Ctrl+Z"}, "", [](Viewer& v) { step(v, undoEdit); }, {}, true});
  all.push_back({"Pose",
                 "Redo",
                 {"Ctrl+Y", "Ctrl+Shift+Z"},
                 "",
                 [](Viewer& v) { step(v, redoEdit); },
                 {},
                 true});
  all.push_back({"Pose", "Reset the joint", {"Delete"}, "the selected one, to rest", [](Viewer& v) {
                   if (drafting(v.session.document))
                     return removeDraftJoint(v.session.document, v.session.bind);
                   posable(onDocument(resetJoint))(v);
                 }});
  all.push_back({"Pose",
                 "Reset the pose",
                 {"Shift+Delete"},
                 "all joints, to rest",
                 posable(onDocument(resetPose))});
  all.push_back({"Pose", "Mirror the pose", {"J"}, "left to right", posable([](Viewer& v) {
                   mirrorPose(v.session.document, v.session.posing);
                 })});
  all.push_back({"Pose",
                 "Mirror the joint",
                 {"Shift+J"},
                 "it and those below onto the other side",
                 posable([](Viewer& v) { mirrorJoint(v.session.document, v.session.posing); })});
  all.push_back({"Pose",
                 "Back to the clip",
                 {"Backspace"},
                 "discard the edited pose; undo restores it",
                 posable(onDocument(releasePose))});
  all.push_back(
      {"Pose", "Save the pose", {"Ctrl+S"}, "as JSON, for --pose", posable(onDocument(savePose))});
  all.push_back({"Pose",
                 "Open a pose, zones, layers or splines...",
                 {"Ctrl+P"},
                 "saved as JSON; or drop the file on the window",
                 [](Viewer& v) { openBrowser(v.ui, Browse::edits); }});
  all.push_back({"Pose",
                 "Save the zones",
                 {"Ctrl+Shift+S"},
                 "beside the model, where they are read with it",
                 posable(onDocument(saveZones))});
  all.push_back({"Pose",
                 "Save the weights",
                 {"Ctrl+Shift+W"},
                 "beside the model, where they are read with it",
                 posable(onDocument(saveWeights))});
  all.push_back({"Weights",
                 "Free splines",
                 {"Shift+C"},
                 "lay splines on the model: their control points bend the skin",
                 posable([](Viewer& v) { showTab(v.session.document, v.ui, SideTab::splines); })});
  all.push_back({"Weights",
                 "New spline",
                 {"Ctrl+Shift+C"},
                 "along the selected joint's bones, on the end of the selected spline, or through "
                 "the mesh",
                 posable([](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::splines);
                   newSpline(v.session.document, v.session.bind, v.session.splines);
                 })});
  all.push_back({"Weights",
                 "Save the splines",
                 {"Ctrl+Shift+F"},
                 "beside the model, where they are read with it",
                 posable([](Viewer& v) { saveSplines(v.session.document, v.session.bind); })});
  all.push_back({"Pose",
                 "Layers",
                 {"Ctrl+Shift+L"},
                 "over the clip; their targets are dragged in the view",
                 posable([](Viewer& v) { showTab(v.session.document, v.ui, SideTab::layers); })});
  all.push_back({"Pose",
                 "Save the layers",
                 {"Ctrl+L"},
                 "as JSON, for --layers",
                 posable(onDocument(saveLayers))});
}

void addBindActions(std::vector<Action>& all) {
  all.push_back({"Weights",
                 "Bind",
                 {"Ctrl+B"},
                 "automatic weights for the skeleton being edited, or the model's own",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::bind);
                   startBinding(v.session.document, v.session.bind);
                 }});
  all.push_back({"Weights",
                 "Compare both algorithms",
                 {"Ctrl+Shift+B"},
                 "bone heat and bone glow, side by side",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::bind);
                   startComparing(v.session.document, v.session.bind);
                 }});
  all.push_back({"Weights",
                 "Choose a skeleton...",
                 {"Ctrl+K"},
                 "a .tgf, a .bvh or a model, to bind this mesh to; or drop a .tgf",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::bind);
                   if (bindable(v.session.document)) openBrowser(v.ui, Browse::skeleton);
                 }});
  all.push_back({"Weights",
                 "Edit the model's skeleton",
                 {},
                 "its own joints, to be moved, added or removed before binding again",
                 [](Viewer& v) { draftOwnJoints(v.session.document, v.session.bind); }});
  all.push_back(
      {"Weights", "Make a skeleton by hand", {}, "beginning with one joint", [](Viewer& v) {
         draftByHand(v.session.document, v.session.bind);
       }});
  all.push_back({"Weights", "Add a joint", {"Insert"}, "below the selected one", [](Viewer& v) {
                   if (drafting(v.session.document))
                     addDraftJoint(v.session.document, v.session.bind);
                 }});
}

void addRagdollActions(std::vector<Action>& all) {
  all.push_back({"Ragdoll",
                 "Fall",
                 {"U"},
                 "let the model fall from where it is; again: back to the animation",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::ragdoll);
                   ragdollActive(v.session.play) && v.session.play.backLeft <= 0.0
                       ? endRagdoll(v.session.document, v.session.play)
                       : startRagdoll(v.session.document, v.session.play);
                 },
                 [](const Viewer& v) { return ragdollActive(v.session.play); }});
  all.push_back({"Ragdoll", "Throw a ball", {"Shift+U"}, "from here at the model", [](Viewer& v) {
                   throwBall(v.session.document, v.session.play, eyeOf(v.session.document, v.ui));
                 }});
  all.push_back({"Ragdoll",
                 "Bodies and limits",
                 {"Y"},
                 "drawn over the model, coloured by the severity of their joints",
                 [](Viewer& v) { v.session.play.shapes = !v.session.play.shapes; },
                 [](const Viewer& v) { return v.session.play.shapes; }});
  all.push_back({"Ragdoll",
                 "Record",
                 {"Shift+Y"},
                 "the fall, as a clip",
                 [](Viewer& v) {
                   recordRagdoll(v.session.document, v.session.play, !v.session.play.recording);
                 },
                 [](const Viewer& v) { return v.session.play.recording; }});
  all.push_back({"Ragdoll", "Export the recording", {"Ctrl+Shift+E"}, "as .glb", [](Viewer& v) {
                   exportRagdoll(v.session.document, v.session.play);
                 }});
  all.push_back({"Ragdoll", "Save the set-up", {}, "beside the model", [](Viewer& v) {
                   saveRagdoll(v.session.document, v.session.play);
                 }});
}

// What users of other programs call it.
void addSynonyms(std::vector<Action>& all) {
  static constexpr std::pair<std::string_view, const char*> kSynonyms[] = {
      {"Open...", "load import file"},
      {"Put motion on the model...", "retarget animation mocap"},
      {"Save the model as .glb", "export gltf"},
      {"Export a picture or film...", "record movie video mp4 gif render save image turntable"},
      {"Screenshot", "picture image photo png export"},
      {"Ping-pong", "bounce"},
      {"Bind pose", "t-pose a-pose"},
      {"Frame the model", "focus zoom fit center home"},
      {"Frame the joint", "focus zoom selected"},
      {"Turntable", "rotate spin"},
      {"Add a view", "split compare side by side"},
      {"The view alone", "maximize fullscreen"},
      {"Weights", "heat map influence"},
      {"Difference", "compare error distance"},
      {"Morph targets", "blend shapes shape keys sliders"},
      {"Report", "warnings problems information"},
      {"Reach with joints", "ik inverse kinematics"},
      {"Zones", "bend range falloff"},
      {"Layers", "ik inverse kinematics procedural additive"},
      {"Bind", "automatic weights rig skin heat"},
      {"Make a skeleton by hand", "bones armature"},
      {"Fall", "ragdoll physics drop simulate"},
      {"Keys", "help shortcuts commands"}};
  for (const auto& [name, words] : kSynonyms)
    std::ranges::find(all, name, &Action::name)->synonyms = words;
}

} // namespace

std::vector<Action> viewerActions() {
  std::vector<Action> all;
  addFileActions(all);
  addPlayActions(all);
  addViewActions(all);
  addShowActions(all);
  addEditActions(all);
  addBindActions(all);
  addRagdollActions(all);
  addMethodActions(all);
  all.push_back({"Help", "Keys", {"?", "F1"}, "this list", [](Viewer& v) { v.ui.hotkeys = true; }});
  addSynonyms(all);
  return all;
}

} // namespace sinew
