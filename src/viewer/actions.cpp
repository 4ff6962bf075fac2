#include "viewer/actions.h"

#include "skinning/methods.h"
#include "viewer/bind.h"
#include "viewer/file_browser.h"
#include "viewer/playback.h"
#include "viewer/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

// A toggle of one of the settings.
Action toggle(std::string group, std::string name, std::string key, std::string help,
              bool Settings::*field) {
  Action action{std::move(group), std::move(name), {}, std::move(help), {}};
  if (!key.empty()) action.keys.push_back(std::move(key));
  action.run = [field](Viewer& v) { v.settings.*field = !(v.settings.*field); };
  action.checked = [field](const Viewer& v) { return v.settings.*field; };
  return action;
}

void addFileActions(std::vector<Action>& all) {
  all.push_back({"File", "Open...", {"Ctrl+O", "O"}, "choose a model file", [](Viewer& v) {
                   openBrowser(v, Browse::model);
                 }});
  all.push_back({"File",
                 "Put motion on the model...",
                 {"Ctrl+M"},
                 "a file whose animation this model plays",
                 [](Viewer& v) { openBrowser(v, Browse::motion); }});
  all.push_back(
      {"File", "Reload", {"F5"}, "read the file again; it also happens by itself", [](Viewer& v) {
         reloadModel(v);
       }});
  all.push_back({"File",
                 "Save the model as .glb",
                 {"Ctrl+E"},
                 "mesh, skeleton, weights, clips and textures",
                 saveModel});
  all.push_back({"File",
                 "Screenshot",
                 {"F12", "P"},
                 "save the view as a PNG without the panels",
                 [](Viewer& v) { v.ui.screenshot = true; }});
  all.push_back(
      {"File", "Screenshot of the window", {"Shift+P"}, "save all of it as a PNG", [](Viewer& v) {
         v.ui.screenshotWindow = true;
       }});
  all.push_back({"File", "Quit", {"Ctrl+Q"}, "close the window", askToQuit});
}

void stepClip(Viewer& viewer, int step) {
  const auto count = static_cast<int>(viewer.bench.model.clips.size());
  if (count == 0) return;
  const int now = viewer.bench.clip ? static_cast<int>(*viewer.bench.clip) : (step > 0 ? -1 : 0);
  const int next = (now + step + count) % count;
  setClip(viewer, clipWord(viewer.bench.model, static_cast<std::uint32_t>(next)));
}

void addPlayActions(std::vector<Action>& all) {
  all.push_back({"Play",
                 "Play or pause",
                 {"Space"},
                 "",
                 [](Viewer& v) {
                   const bool held = posing(v); // playing goes on where the clip was left
                   releasePose(v);
                   if (held)
                     v.settings.playing = true;
                   else
                     togglePlaying(v.settings, playedRange(v.bench, wrapOf(v.settings)));
                 },
                 [](const Viewer& v) { return v.settings.playing; }});
  all.push_back({"Play",
                 "Step forward",
                 {"."},
                 "pause, and go to the clip's next frame",
                 [](Viewer& v) { stepFrames(v, 1); },
                 {},
                 true});
  all.push_back({"Play",
                 "Step back",
                 {","},
                 "pause, and go to the clip's frame before",
                 [](Viewer& v) { stepFrames(v, -1); },
                 {},
                 true});
  all.push_back({"Play", "To the start", {"Home"}, "of the range", [](Viewer& v) {
                   v.settings.time = v.settings.rangeStart;
                 }});
  all.push_back({"Play",
                 "Next key",
                 {">"},
                 "pause, and go to it: the selected joint's, or the clip's",
                 [](Viewer& v) { stepKey(v, 1); },
                 {},
                 true});
  all.push_back({"Play", "Previous key", {"<"}, "", [](Viewer& v) { stepKey(v, -1); }, {}, true});
  all.push_back({"Play", "The range starts here", {"{"}, "only the range plays", [](Viewer& v) {
                   setRangeStart(v, v.settings.time);
                 }});
  all.push_back({"Play", "The range ends here", {"}"}, "only the range plays", [](Viewer& v) {
                   setRangeEnd(v, v.settings.time);
                 }});
  all.push_back({"Play", "The whole clip", {"Shift+Home"}, "plays again", resetRange});
  all.push_back({"Play", "Next clip", {"]"}, "", [](Viewer& v) { stepClip(v, 1); }, {}, true});
  all.push_back({"Play", "Previous clip", {"["}, "", [](Viewer& v) { stepClip(v, -1); }, {}, true});
  all.push_back(toggle("Play", "Loop", "L", "play the clip again when it ends", &Settings::loop));
  all.push_back(toggle("Play", "To and fro", "Shift+L", "play the clip to its end and back",
                       &Settings::pingPong));
  all.push_back({"Play",
                 "Rest pose",
                 {"R"},
                 "the pose the file gives without animation",
                 [](Viewer& v) { setClip(v, v.settings.clip == "none" ? "" : "none"); },
                 [](const Viewer& v) { return v.settings.clip == "none"; }});
  all.push_back({"Play",
                 "Bind pose",
                 {"B"},
                 "the pose the mesh was modelled in",
                 [](Viewer& v) { setClip(v, v.settings.clip == "bind" ? "" : "bind"); },
                 [](const Viewer& v) { return v.settings.clip == "bind"; }});
}

void addTurn(std::vector<Action>& all, const char* name, const char* key, float dx, float dy) {
  all.push_back(
      {"View", name, {key}, "", [=](Viewer& v) { orbitBy(v.settings, dx, dy); }, {}, true});
}

void addStandardView(std::vector<Action>& all, const char* name, const char* key, float yaw,
                     float pitch) {
  all.push_back({"View", name, {key}, "", [=](Viewer& v) {
                   v.settings.yaw = yaw;
                   v.settings.pitch = pitch;
                 }});
}

void addViewActions(std::vector<Action>& all) {
  all.push_back({"View", "Frame the model", {"F"}, "the whole of it in view", [](Viewer& v) {
                   frameModel(v);
                 }});
  all.push_back({"View",
                 "Follow the model",
                 {"C"},
                 "the camera goes along when a clip walks away",
                 [](Viewer& v) { v.follow = !v.follow; },
                 [](const Viewer& v) { return v.follow; }});
  all.push_back(toggle("View", "Turntable", "T", "turn about the model", &Settings::turntable));
  addStandardView(all, "From the front", "Shift+F", 0.0f, 0.0f);
  addStandardView(all, "From the side", "Shift+S", 90.0f, 0.0f);
  addStandardView(all, "From the back", "Shift+B", 180.0f, 0.0f);
  addStandardView(all, "From above", "Shift+T", 0.0f, 89.0f);
  addTurn(all, "Turn left", "Left", -0.03f, 0.0f);
  addTurn(all, "Turn right", "Right", 0.03f, 0.0f);
  addTurn(all, "Turn up", "Up", 0.0f, 0.03f);
  addTurn(all, "Turn down", "Down", 0.0f, -0.03f);
  all.push_back(
      {"View", "Nearer", {"+", "="}, "", [](Viewer& v) { zoomBy(v.settings, 1); }, {}, true});
  all.push_back(
      {"View", "Farther", {"-"}, "", [](Viewer& v) { zoomBy(v.settings, -1); }, {}, true});
  all.push_back(
      {"View", "Add a view", {"V"}, "another method beside the others, up to six", addView});
  all.push_back(
      {"View", "Remove the view", {"Shift+V"}, "the active one, in the frame", removeView});
  all.push_back({"View", "Next view", {"PageDown"}, "make it the active one", [](Viewer& v) {
                   nextView(v, 1);
                 }});
  all.push_back({"View", "Previous view", {"PageUp"}, "make it the active one", [](Viewer& v) {
                   nextView(v, -1);
                 }});
  all.push_back({"View",
                 "The view alone",
                 {"Enter"},
                 "the active view fills the picture; also a double click",
                 toggleAlone,
                 [](const Viewer& v) { return v.views.alone; }});
  all.push_back({"View",
                 "Panels",
                 {"Tab"},
                 "show or hide all panels",
                 [](Viewer& v) { v.ui.panels = !v.ui.panels; },
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
                   v.heatMap = !v.heatMap;
                   if (v.heatMap) v.settings.difference = "none";
                   if (v.heatMap && !v.selected)
                     toast(v, "select a joint: in the list, or click a bone");
                 },
                 [](const Viewer& v) { return v.heatMap; }});
  all.push_back({"Show",
                 "Difference",
                 {"D"},
                 "colour by the distance from the active view's method",
                 toggleDifference,
                 [](const Viewer& v) { return v.settings.difference != "none"; }});
  all.push_back({"Show",
                 "Dismiss",
                 {"Escape"},
                 "a drag, the message, the import, or the selected joint",
                 dismiss});
  all.push_back(
      {"Show", "Report", {"M"}, "what was repaired or is missing in the model", [](Viewer& v) {
         v.ui.panels = true;
         showTab(v, SideTab::model);
       }});
}

void addMethodActions(std::vector<Action>& all) {
  std::size_t number = 0;
  for (const Method& method : methods()) {
    ++number;
    Action action{"Method", std::string(method.title), {}, std::string(method.paper), {}};
    if (number <= 9) action.keys.push_back(std::to_string(number));
    action.run = [name = std::string(method.name)](Viewer& v) {
      setActiveChoice(v, {name, activeChoice(v).parameters});
    };
    action.checked = [name = std::string(method.name)](const Viewer& v) {
      return activeChoice(v).method == name;
    };
    all.push_back(std::move(action));
  }
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
  return all;
}

std::vector<const Action*> searchActions(std::span<const Action> actions, std::string_view words) {
  std::vector<const Action*> found;
  for (const Action& action : actions) {
    const std::string text = fmt::format("{} {} {} {}", action.group, action.name, action.help,
                                         fmt::join(action.keys, " "));
    if (holdsWords(text, words)) found.push_back(&action);
  }
  return found;
}

const Action* actionOfChord(std::span<const Action> actions, std::string_view chord) {
  for (const Action& action : actions)
    if (std::find(action.keys.begin(), action.keys.end(), chord) != action.keys.end())
      return &action;
  return nullptr;
}

} // namespace sinew
