#include "viewer/actions.h"

#include "editor/beside.h"
#include "editor/document/clip_time.h"
#include "editor/document/companions.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/edit_files.h"
#include "editor/model_files.h"
#include "editor/session.h"
#include "editor/time/playback.h"
#include "skinning/methods.h"
#include "viewer/action_groups.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/file_browser.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sinew {
namespace {

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
  all.push_back({"View/Play",
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
  all.push_back({"View/Play",
                 "Step forward",
                 {"Right"},
                 "pause, and go to the clip's next frame",
                 [](Viewer& v) { stepFrames(v.session.document, 1); },
                 {},
                 true});
  all.push_back({"View/Play",
                 "Step back",
                 {"Left"},
                 "pause, and go to the clip's previous frame",
                 [](Viewer& v) { stepFrames(v.session.document, -1); },
                 {},
                 true});
  all.push_back({"View/Play", "To the start", {"Home"}, "of the range", [](Viewer& v) {
                   v.session.document.settings.time = v.session.document.settings.rangeStart;
                 }});
  all.push_back({"View/Play",
                 "Next key",
                 {">"},
                 "pause, and go to it: the selected joint's, or the clip's",
                 [](Viewer& v) { stepKey(v.session.document, 1); },
                 {},
                 true});
  all.push_back({"View/Play",
                 "Previous key",
                 {"<"},
                 "",
                 [](Viewer& v) { stepKey(v.session.document, -1); },
                 {},
                 true});
  all.push_back(
      {"View/Play", "The range starts here", {"{"}, "only the range plays", [](Viewer& v) {
         setRangeStart(v.session.document, v.session.document.settings.time);
       }});
  all.push_back({"View/Play", "The range ends here", {"}"}, "only the range plays", [](Viewer& v) {
                   setRangeEnd(v.session.document, v.session.document.settings.time);
                 }});
  all.push_back(
      {"View/Play", "The whole clip", {"Shift+Home"}, "plays again", onDocument(resetRange)});
  all.push_back({"View/Play", "Next clip", {"]"}, "", [](Viewer& v) { stepClip(v, 1); }, {}, true});
  all.push_back(
      {"View/Play", "Previous clip", {"["}, "", [](Viewer& v) { stepClip(v, -1); }, {}, true});
  all.push_back(
      toggle("View/Play", "Loop", "L", "play the clip again when it ends", &Settings::loop));
  all.push_back(toggle("View/Play", "Ping-pong", "Shift+L", "play the clip to its end and back",
                       &Settings::pingPong));
  all.push_back({"View/Play",
                 "Rest pose",
                 {"R"},
                 "the pose the file gives without animation",
                 [](Viewer& v) {
                   setClip(v.session.document,
                           v.session.document.settings.clip == "none" ? "" : "none");
                 },
                 [](const Viewer& v) { return v.session.document.settings.clip == "none"; }});
  all.push_back({"View/Play",
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
  all.push_back({"View/Camera",
                 name,
                 {key},
                 "",
                 [=](Viewer& v) { orbitBy(v.session.document.settings, dx, dy); },
                 {},
                 true});
}

void addStandardView(std::vector<Action>& all, const char* name, const char* key, float yaw,
                     float pitch) {
  all.push_back({"View/Camera", name, {key}, "", [=](Viewer& v) {
                   v.session.document.settings.yaw = yaw;
                   v.session.document.settings.pitch = pitch;
                 }});
}

void addModeActions(std::vector<Action>& all) {
  int number = 0;
  for (const ModeInfo& mode : kWindowModes)
    all.push_back({"View",
                   mode.name,
                   {fmt::format("Ctrl+{}", ++number)},
                   mode.help,
                   [&mode](Viewer& v) {
                     v.ui.panels = true;
                     showMode(v.session.document, v.ui, mode.mode);
                   },
                   [&mode](const Viewer& v) { return modeOf(v.ui.tab) == mode.mode; }});
}

void addViewActions(std::vector<Action>& all) {
  all.push_back({"View/Camera", "Frame the model", {"F"}, "the whole of it in view", [](Viewer& v) {
                   frameModel(v.session.document);
                 }});
  all.push_back({"View/Camera",
                 "Frame the joint",
                 {"."},
                 "the selected one; also a double click on its name",
                 onDocument(frameJoint)});
  all.push_back({"View/Camera",
                 "Follow the model",
                 {"C"},
                 "the camera follows the model when it moves away",
                 [](Viewer& v) { v.session.document.follow = !v.session.document.follow; },
                 [](const Viewer& v) { return v.session.document.follow; }});
  all.push_back(toggle("View/Camera", "Turntable", "T", "orbit the model continuously",
                       &Settings::turntable));
  all.push_back({"View/Camera",
                 "Orthographic",
                 {"Shift+O"},
                 "by parallel rays; also a click below the axes in the corner",
                 [](Viewer& v) { switchProjection(v.session.document, v.ui); },
                 [](const Viewer& v) {
                   return v.session.document.settings.projection == Projection::orthographic;
                 }});
  addStandardView(all, "From the front", "Shift+F", 0.0f, 0.0f);
  addStandardView(all, "From the side", "Shift+S", 90.0f, 0.0f);
  addStandardView(all, "From the back", "Shift+B", 180.0f, 0.0f);
  addStandardView(all, "From above", "Shift+T", 0.0f, 89.0f);
  addOrbitStep(all, "Orbit left", "Shift+Left", -0.03f, 0.0f);
  addOrbitStep(all, "Orbit right", "Shift+Right", 0.03f, 0.0f);
  addOrbitStep(all, "Orbit up", "Shift+Up", 0.0f, 0.03f);
  addOrbitStep(all, "Orbit down", "Shift+Down", 0.0f, -0.03f);
  all.push_back({"View/Camera",
                 "Nearer",
                 {"+", "="},
                 "",
                 [](Viewer& v) { zoomBy(v.session.document.settings, 1); },
                 {},
                 true});
  all.push_back({"View/Camera",
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
  all.push_back({"View",
                 "Make it the document",
                 {"Ctrl+Enter"},
                 "the other model in the active view changes places with the document",
                 [](Viewer& v) {
                   const Document& document = v.session.document;
                   const Companion* shown = companionIn(document, activeView(document));
                   if (shown == nullptr)
                     return notify(v.session.document, "the active view shows the document");
                   makeDocument(v.session, shown->id);
                 }});
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
  all.push_back(
      toggle("View/Show", "Wireframe", "W", "the triangles' edges", &Settings::wireframe));
  all.push_back(toggle("View/Show", "Normals", "N", "the vertex normals", &Settings::normals));
  all.push_back(
      toggle("View/Show", "Skeleton", "S", "the bones over the mesh", &Settings::skeleton));
  all.push_back({"View/Show",
                 "Joint names",
                 {"Shift+N"},
                 "in the views, as many as there is room for",
                 [](Viewer& v) { v.ui.jointNames = !v.ui.jointNames; },
                 [](const Viewer& v) { return v.ui.jointNames; }});
  all.push_back({"View/Show",
                 "Joint axes",
                 {"Shift+A"},
                 "red, green and blue: x, y and z of every joint",
                 [](Viewer& v) { v.ui.jointAxes = !v.ui.jointAxes; },
                 [](const Viewer& v) { return v.ui.jointAxes; }});
  all.push_back({"View/Show",
                 "Bind axes",
                 {},
                 "axes of every joint where it was when the mesh was bound: the inverse bind "
                 "matrices",
                 [](Viewer& v) { v.ui.bindAxes = !v.ui.bindAxes; },
                 [](const Viewer& v) { return v.ui.bindAxes; }});
  all.push_back({"View/Show",
                 "Trails",
                 {"Ctrl+Shift+T"},
                 "where the selected joint goes over the clip, with its keys",
                 [](Viewer& v) { v.session.document.trails = !v.session.document.trails; },
                 [](const Viewer& v) { return v.session.document.trails; },
                 false,
                 "motion path"});
  all.push_back({"View/Show",
                 "Ghosts",
                 {"Shift+G"},
                 "three poses before the shown moment and three after it; more in Look",
                 [](Viewer& v) {
                   int& ghosts = v.session.document.settings.ghosts;
                   ghosts = ghosts > 0 ? 0 : 3;
                 },
                 [](const Viewer& v) { return v.session.document.settings.ghosts > 0; },
                 false,
                 "onion skin"});
  all.push_back(toggle("View/Show", "Colours by bone", "Shift+H",
                       "each joint's own, mixed by the weights", &Settings::boneColors));
  all.push_back({"View/Show",
                 "Models at one scale",
                 {},
                 "models side by side, unless one is more than twice as large as the document; "
                 "off: each fills its view",
                 [](Viewer& v) {
                   v.session.document.oneScale = !v.session.document.oneScale;
                   arrangeCompanions(v.session.document);
                 },
                 [](const Viewer& v) { return v.session.document.oneScale; }});
  all.push_back({"View/Show", "All joints", {}, "also those that were hidden", [](Viewer& v) {
                   v.session.document.hidden.clear();
                 }});
  all.push_back(
      {"View", "The menus", {"Alt"}, "arrows and Enter choose, Escape closes", [](Viewer& v) {
         v.ui.panels = true;
         v.ui.openMenu = true;
       }});
  for (const float factor : {1.25f, 0.8f})
    all.push_back({"View",
                   factor > 1.0f ? "Larger panels" : "Smaller panels",
                   {},
                   "text and controls",
                   [factor](Viewer& v) {
                     float& scale = v.preferences.panelScale;
                     scale = std::clamp(scale * factor, kMinPanelScale, kMaxPanelScale);
                   }});
  all.push_back({"View",
                 "Light panels",
                 {"Shift+I"},
                 "dark text on light panels",
                 [](Viewer& v) { v.preferences.lightTheme = !v.preferences.lightTheme; },
                 [](const Viewer& v) { return v.preferences.lightTheme; }});
  all.push_back(toggle("View/Show", "Textures", "X", "the model's images", &Settings::textures));
  all.push_back(toggle("View/Show", "Ground grid", "G", "", &Settings::grid));
  all.push_back(toggle("View/Show", "Contact shadow", "",
                       "the ground is darker under what touches it", &Settings::contactShadow));
  all.push_back(toggle("View/Show", "Headlight", "", "the light moves with the camera",
                       &Settings::headlight));
  all.push_back({"View/Show",
                 "Light from a picture...",
                 {},
                 "a picture of everything around (.hdr, .png, .jpg), also dropped onto the window",
                 [](Viewer& v) { openBrowser(v.ui, Browse::light); }});
  all.push_back(toggle("View/Show", "Statistics", "I", "times and counts", &Settings::statistics));
  all.push_back({"View/Show",
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
      {"View/Show",
       "Difference",
       {"D"},
       "colour by the distance from linear blending",
       onDocument(toggleDifference),
       [](const Viewer& v) { return v.session.document.settings.difference.has_value(); }});
  all.push_back({"View",
                 "Dismiss",
                 {"Escape"},
                 "a drag, the recording, the message, the import, or the selected joint",
                 [](Viewer& v) { dismiss(v.session); }});
}

void addMethodActions(std::vector<Action>& all) {
  std::size_t number = 0;
  for (const Method& method : methods()) {
    ++number;
    Action action{"View/Method", std::string(method.title), {}, std::string(method.paper), {}};
    if (const std::string key = methodKey(number); !key.empty()) action.keys.push_back(key);
    action.run = [&method](Viewer& v) {
      setActiveChoice(v.session.document, {&method, activeChoice(v.session.document).parameters});
    };
    action.checked = [&method](const Viewer& v) {
      return activeChoice(v.session.document).method == &method;
    };
    all.push_back(std::move(action));
  }
}

void addModelActions(std::vector<Action>& all) {
  all.push_back({"Model",
                 "Put motion on the model...",
                 {"Ctrl+M"},
                 "a file whose animation this model plays",
                 [](Viewer& v) { openBrowser(v.ui, Browse::motion); }});
  all.push_back({"Model",
                 "Add motions...",
                 {"Ctrl+Shift+M"},
                 "the clips of another file behind the model's own; saved together as .glb",
                 [](Viewer& v) { openBrowser(v.ui, Browse::addedMotion); },
                 {},
                 false,
                 "merge clips"});
  all.push_back({"Model",
                 "Report on the file",
                 {"M"},
                 "what was repaired or is missing in the model",
                 [](Viewer& v) {
                   v.ui.panels = true;
                   showTab(v.session.document, v.ui, SideTab::model);
                 }});
  all.push_back({"Model",
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

// What users of other programs call it.
void addSynonyms(std::vector<Action>& all) {
  static constexpr std::pair<std::string_view, const char*> kSynonyms[] = {
      {"Open...", "load import file"},
      {"Open beside...", "compare load import lod version"},
      {"Files side by side", "compare lod version grid"},
      {"Make it the document", "swap exchange edit"},
      {"Put motion on the model...", "retarget animation mocap"},
      {"Export the model as .glb", "export gltf"},
      {"Export a picture or film...", "record movie video mp4 gif render save image turntable"},
      {"Screenshot", "picture image photo png export"},
      {"Ping-pong", "bounce"},
      {"Bind pose", "t-pose a-pose"},
      {"Frame the model", "focus zoom fit center home"},
      {"Frame the joint", "focus zoom selected"},
      {"Orthographic", "perspective parallel isometric projection"},
      {"Turntable", "rotate spin"},
      {"Add a view", "split compare side by side"},
      {"The view alone", "maximize fullscreen"},
      {"Weights", "heat map influence"},
      {"Difference", "compare error distance"},
      {"Morph targets", "blend shapes shape keys sliders"},
      {"Report on the file", "warnings problems information"},
      {"Reach with joints", "ik inverse kinematics"},
      {"Bend range", "zones falloff"},
      {"Layers", "ik inverse kinematics procedural additive"},
      {"Bind", "automatic weights rig skin heat"},
      {"Make a skeleton by hand", "bones armature"},
      {"Fall", "ragdoll physics drop simulate"},
      {"Larger panels", "interface ui scale zoom text font size dpi"},
      {"Smaller panels", "interface ui scale zoom text font size dpi"},
      {"Light panels", "theme dark bright"},
      {"Light from a picture...", "environment hdr hdri ibl image based panorama sky"},
      {"Keys", "help shortcuts commands"}};
  for (const auto& [name, words] : kSynonyms)
    std::ranges::find(all, name, &Action::name)->synonyms = words;
}

} // namespace

std::vector<Action> viewerActions() {
  std::vector<Action> all;
  addFileActions(all);
  addPoseActions(all);
  addModeActions(all);
  addViewActions(all);
  addShowActions(all);
  addPlayActions(all);
  addMethodActions(all);
  addModelActions(all);
  addWeightActions(all);
  addMotionActions(all);
  addHelpActions(all);
  addSynonyms(all);
  return all;
}

std::vector<Action> sessionActions(const Session& session) {
  std::vector<Action> all;
  const Model& model = session.document.bench.model;
  for (const std::uint32_t node : session.document.joints) {
    const std::string& name = model.hierarchy.nodes[node].name;
    all.push_back({"Joints", name, {}, "select and frame it", [node](Viewer& v) {
                     Document& document = v.session.document; // whose joints may have equal names
                     if (node >= document.bench.model.hierarchy.nodes.size()) return;
                     selectJoint(document, node);
                     frameJoint(document);
                   }});
  }
  for (std::uint32_t i = 0; i < model.clips.size(); ++i) {
    const std::string word = clipWord(model, i);
    all.push_back({"Clips", word, {}, "play it", [word](Viewer& v) {
                     setClip(v.session.document, word);
                     releasePose(v.session.document);
                   }});
  }
  for (const std::string& file : session.recent)
    all.push_back({"Recent files",
                   std::filesystem::path(file).filename().string(),
                   {},
                   file,
                   [file](Viewer& v) { openFile(v.session, file); }});
  // Those that are on or off are actions already.
  visitSettings(session.document.settings, [&](const OptionInfo& info, const auto& value) {
    if (info.group == "Animation" || std::is_same_v<std::decay_t<decltype(value)>, bool>) return;
    all.push_back({"Settings", optionLabel(info.name), {}, std::string(info.help), [](Viewer& v) {
                     showTab(v.session.document, v.ui, SideTab::settings);
                   }});
  });
  return all;
}

} // namespace sinew
