#include "viewer/actions.h"

#include "editor/document/clip_time.h"
#include "editor/document/framing.h"
#include "editor/edit_files.h"
#include "editor/model_files.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kSkeletonEdited = "the skeleton is being edited: bind it, or leave it, first";

void addModelActions(std::vector<Action>& all) {
  all.push_back({"Model",
                 "Put motion on the model...",
                 {"Ctrl+M"},
                 "play the animation of another file on this model",
                 [](Viewer& v) { openBrowser(v.ui, Browse::motion); }});
  all.push_back({"Model",
                 "Add motions...",
                 {"Ctrl+Shift+M"},
                 "append the clips of another file; all are saved together as .glb",
                 [](Viewer& v) { openBrowser(v.ui, Browse::addedMotion); }});
  all.push_back({"Model",
                 "Report on the file",
                 {"M"},
                 "repairs and missing parts of the model",
                 [](Viewer& v) {
                   v.ui.panels = true;
                   showTab(v.session.document, v.ui, SideTab::model);
                 }});
  all.push_back({"Model",
                 "Morph targets",
                 {"Shift+M"},
                 "sliders for the weights of the model's shapes",
                 [](Viewer& v) {
                   if (v.session.document.workbench.model.morphTargets.empty())
                     return notify(v.session.document, "the model has no morph targets");
                   v.ui.panels = true;
                   showTab(v.session.document, v.ui, SideTab::morph);
                 }});
}

// What users of other programs call it.
// What the command line alone can do: the line is copied.
void addCommandLines(std::vector<Action>& all) {
  struct Line {
    const char* name;
    const char* command;
    const char* help;
    const char* synonyms;
  };
  static constexpr std::array kLines{
      Line{"Repair and write", "sinew check MODEL --fix -o fixed.glb",
           "repairs faults and writes the model", "repair fix worst corrective"},
      Line{"Time of a frame", "sinew bench MODEL", "measures the time of a frame by every method",
           "benchmark performance time crowd"},
      Line{"A method's shader", "sinew shader METHOD",
           "prints a method's shader for a program of your own", "glsl hlsl metal export engine"},
      Line{"Compare over all clips", "sinew compare MODEL --clip all",
           "tables of volume, thickness and folds by method", "volume worst metrics measure"},
      Line{"Corrective shape of a sculpt",
           "sinew corrective add MODEL --shape SCULPT.ply -o MODEL.drivers.json",
           "makes a sculpt from another program a corrective shape", "sculpt blend shape"}};
  for (const Line& line : kLines)
    all.push_back({"Help/Command line",
                   line.name,
                   {},
                   fmt::format("{}; copies '{}'", line.help, line.command),
                   [command = line.command](Viewer& v) {
                     ImGui::SetClipboardText(command);
                     notify(v.session.document, fmt::format("copied: {}", command));
                   },
                   {},
                   false,
                   line.synonyms});
}

void addSynonyms(std::vector<Action>& all) {
  static constexpr std::pair<std::string_view, const char*> kSynonyms[] = {
      {"Open...", "load import file"},
      {"Open beside...", "compare load import lod version"},
      {"Files side by side", "compare lod version grid"},
      {"Make it the main model", "swap exchange edit"},
      {"Put motion on the model...", "retarget animation mocap"},
      {"Add motions...", "merge clips"},
      {"Trails", "motion path"},
      {"Ghosts", "onion skin"},
      {"Keys and curves", "keyframe dope sheet graph editor animate"},
      {"New clip", "keyframe animation"},
      {"Set keys", "keyframe insert"},
      {"Remove keys", "keyframe delete"},
      {"Automatic keys", "autokey keyframe"},
      {"Export the model...", "export gltf"},
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
      {"Check",
       "worst volume elbow collapse candy wrapper fold bulge fault broken find fix repair"},
      {"Divider", "wipe split compare slider"},
      {"Crowd of 200", "bench crowd stress performance many characters instances"},
      {"Stress scene", "bench crowd stress performance million vertices benchmark"},
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
  addViewActions(all);
  addPlayActions(all);
  addMethodActions(all);
  addModelActions(all);
  addWeightActions(all);
  addMotionActions(all);
  addHelpActions(all);
  addCommandLines(all);
  addSynonyms(all);
  return all;
}

std::vector<Action> sessionActions(const Session& session) {
  std::vector<Action> all;
  const Model& model = session.document.workbench.model;
  for (const std::uint32_t node : session.document.joints) {
    const std::string& name = model.hierarchy.nodes[node].name;
    all.push_back({"Joints", name, {}, "select and frame it", [node](Viewer& v) {
                     Document& document = v.session.document; // its joints may have equal names
                     if (node >= document.workbench.model.hierarchy.nodes.size()) return;
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
  // Settings that are on or off are actions already.
  visitSettings(session.document.settings, [&](const OptionInfo& info, const auto& value) {
    if (info.group == "Animation" || std::is_same_v<std::decay_t<decltype(value)>, bool>) return;
    all.push_back({"Settings", optionLabel(info.name), {}, std::string(info.help), [](Viewer& v) {
                     showTab(v.session.document, v.ui, SideTab::settings);
                   }});
  });
  return all;
}

ActionRun onDocument(void (*run)(Document&)) {
  return [run](Viewer& v) { run(v.session.document); };
}

ActionRun saving(SaveKind kind) {
  return [kind](Viewer& v) { saveEdits(v.session, kind); };
}

ActionRun posable(ActionRun run) {
  return [run = std::move(run)](Viewer& v) {
    Document& document = v.session.document;
    if (drafting(document)) return notify(document, kSkeletonEdited);
    if (hasModel(document) && !document.crowd) run(v);
  };
}

Action repeated(Action action) {
  action.repeats = true;
  return action;
}

void chooseTool(Viewer& viewer, Tool tool) {
  Document& document = viewer.session.document;
  if (drafting(document)) return notify(document, kSkeletonEdited);
  document.tool = tool;
  showTab(document, viewer.ui,
          tool == Tool::zone    ? SideTab::zone
          : tool == Tool::paint ? SideTab::paint
                                : SideTab::pose);
  if (!document.selected) notify(document, "select a joint: in the list, or click a bone");
}

Action toolAction(std::string group, const char* name, const char* key, const char* help,
                  Tool tool) {
  return {std::move(group),
          name,
          {key},
          help,
          [tool](Viewer& v) { chooseTool(v, tool); },
          [tool](const Viewer& v) { return v.session.document.tool == tool; }};
}

} // namespace sinew
