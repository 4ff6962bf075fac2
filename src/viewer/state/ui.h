// What the interface remembers between two frames. Panels are free functions that read and change
// it.
#pragma once

#include "editor/document/keying.h"
#include "editor/file_list.h"
#include "editor/material_list.h"
#include "editor/pose/zone_rings.h"
#include "editor/save_as.h"
#include "editor/time/timeline.h"
#include "view/view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>

namespace sinew {

// A rectangle in ImGui units.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

struct Toast {
  std::string text;
  double until = 0.0;         // glfwGetTime()
  std::filesystem::path file; // the saved file; empty: the text is about something else
};

// What a chosen file is for.
enum class Browse { model, motion, addedMotion, edits, skeleton, light, beside, weights, clothes };

struct OpenDialog {
  bool opening = false; // the dialog opens in the next frame
  Browse purpose = Browse::model;
  bool focus = false; // the text field takes the keyboard
  std::filesystem::path folder;
  std::string typed;
  FileFilter filter;
  bool allFiles = false;
  FileList list;
  double listedAt = -1.0;
  std::string selected;
};

enum class RecordKind { picture, gif, film };

// A picture or film of the views (recording.h).
struct RecordOptions {
  RecordKind kind = RecordKind::gif;
  int width = 1280; // pixels
  int height = 720;
  float fps = 25.0f;
  float seconds = 0.0f;   // 0: the clip once
  bool turntable = false; // once around the model
  std::string path;
};

// Model statistics for the panels that need a pass over all vertices; computed when first needed.
struct Notes {
  std::uint64_t revision = 0;         // Document::revisions.weights that the notes are about
  std::optional<std::uint32_t> joint; // the joint that `influence` is about
  std::string influence;
  int limit = 0; // influences that `cut` is about
  std::string cut;
  std::uint32_t maxInfluences = 0; // the most influences of a vertex
};

// State of the map of a motion's joints.
struct MappingEdit {
  std::string dragged; // the joint whose angles are dragged
  vec3 angles{0.0f};
};

// What the window is for at the moment: each mode has controls of its own at the right.
enum class Mode { look, pose, weights, motion };

struct ModeInfo {
  Mode mode;
  const char* name;
  const char* help;
};
inline constexpr std::array<ModeInfo, 4> kWindowModes{{
    {Mode::look, "Look", "methods, what is shown, light and camera"},
    {Mode::pose, "Pose", "joints, bend ranges and morph targets"},
    {Mode::weights, "Weights",
     "binding, painting, free splines, baking, and edits of the whole rig"},
    {Mode::motion, "Motion", "layers over the clip, and the ragdoll"},
}};

// The tabs of the panel at the right. Each has a row in kSideTabs and a case in side_panel.cpp.
enum class SideTab {
  settings,
  model,
  check,
  pose,
  zone,
  morph,
  bind,
  paint,
  splines,
  bake,
  rig,
  layers,
  drivers,
  ragdoll
};

struct SideTabInfo {
  SideTab tab;
  Mode mode;
  const char* name;
  std::optional<Tool> tool = std::nullopt; // becomes active with the tab
};
inline constexpr std::array kSideTabs{
    SideTabInfo{SideTab::settings, Mode::look, "Look"},
    SideTabInfo{SideTab::model, Mode::look, "Model"},
    SideTabInfo{SideTab::check, Mode::look, "Check"},
    SideTabInfo{SideTab::pose, Mode::pose, "Joint", Tool::rotate},
    SideTabInfo{SideTab::zone, Mode::pose, "Bend range", Tool::zone},
    SideTabInfo{SideTab::morph, Mode::pose, "Morph", Tool::rotate},
    SideTabInfo{SideTab::bind, Mode::weights, "Bind"},
    SideTabInfo{SideTab::paint, Mode::weights, "Paint", Tool::paint},
    SideTabInfo{SideTab::splines, Mode::weights, "Splines", Tool::move},
    SideTabInfo{SideTab::bake, Mode::weights, "Bake"},
    SideTabInfo{SideTab::rig, Mode::weights, "Rig"},
    SideTabInfo{SideTab::layers, Mode::motion, "Layers"},
    SideTabInfo{SideTab::drivers, Mode::motion, "Drivers", Tool::rotate},
    SideTabInfo{SideTab::ragdoll, Mode::motion, "Ragdoll", Tool::rotate},
};

constexpr const SideTabInfo& findTab(SideTab tab) {
  return *std::ranges::find(kSideTabs, tab, &SideTabInfo::tab);
}

constexpr Mode toMode(SideTab tab) {
  return findTab(tab).mode;
}

// The area of keys and curves below the time line.
struct KeysUi {
  bool shown = false;
  ChannelPart part = ChannelPart::rotation;
  std::optional<KeyGrip> grip;   // the dragged key
  float low = 0.0f, high = 1.0f; // values at the lower and upper edge; kept during a drag
  std::string clipName;          // the name being typed
};

// A texture that is shown by itself.
struct TextureUi {
  std::optional<std::uint32_t> texture; // index of the model's texture
  TextureChannels channels = TextureChannels::color;
  float zoom = 0.0f;    // powers of two; 0: fitted into the panel
  bool opening = false; // the texture is shown from the next frame on
};

// A column of panels beside the picture.
struct PanelColumn {
  float dragged = 0.0f; // the width that its edge was dragged to; 0: it has its usual width
};

struct Ui {
  Notes notes;
  TextureUi texture;
  KeysUi keys;
  MappingEdit mapping;
  bool panels = true;
  SideTab tab = SideTab::settings; // the tab in front
  // The tab that was last in front, by mode.
  std::array<SideTab, 4> tabs{SideTab::settings, SideTab::pose, SideTab::bind, SideTab::layers};
  // The model that each tab was last drawn for: another one is shown from its top.
  std::array<std::string, kSideTabs.size()> scrolledModels;
  int stripLines = 1;                      // lines of the strip of methods, in the last frame
  Viewport viewport;                       // the picture of the last frame: framebuffer pixels
  std::optional<std::uint32_t> shownJoint; // the selection that the list of joints has scrolled to
  bool scrollToJoint = false;
  float textSize = 0.0f; // size in the last frame; another one forgets dragged widths
  PanelColumn jointsColumn, sideColumn;
  float covered = 0.0f;          // height of lines over the picture's lower end, in this frame
  float statisticsHeight = 0.0f; // height in the last frame: the joints take the rest of the column
  OpenDialog open;
  std::uint64_t sideModel = 0;   // SideModel::id of the model whose menu is open
  bool sideModelOpening = false; // the menu opens in the next frame
  bool recoveryAsked = false;    // the question about unsaved work of an earlier run is shown
  bool hotkeys = false;          // the list of keys is to be opened
  std::string hotkeySearch;
  std::size_t hotkeyMark = 0; // index of the marked search result
  std::string jointSearch;
  std::string clipSearch;
  std::string morphSearch;
  std::string driverSearch;
  std::size_t driver = 0;    // the selected one of the pose drivers; may be past the last
  float bentDegrees = 30.0f; // angle for subdivideBent()
  bool jointNames = false;   // names of joints are shown in the views
  bool jointAxes = false;    // axes of joints are shown in the views
  bool bindAxes = false;     // axes of joints as the mesh was bound
  bool openMenu = false;     // a menu opens in the next frame
  bool menuByKey = false;    // a menu is open that a key has opened
  std::size_t menu = 0;      // index into kMenus: the menu that is open or opens
  int menuStep = 0;          // 1 or -1: an arrow to the right or left was pressed in the last frame
  std::optional<std::uint32_t> hoveredJoint; // the joint whose bone is under the mouse
  std::optional<ZoneEnd> bendEnd;     // the end of the bend range whose slider is under the mouse
  int curvePoint = -1;                // the dragged point of the selected joint's curve; -1: none
  TimeGrip timeGrip = TimeGrip::none; // what is dragged on the time line
  std::deque<Toast> toasts;
  bool hint = false; // the hint under the first screen is shown
  bool hintDismissed = false;
  bool draggingDivider = false;
  bool doubleClick = false;       // a double click since the last frame
  bool screenshot = false;        // a screenshot of the view
  bool recording = false;         // the dialog to record is to be opened
  std::optional<SaveKind> saving; // the dialog to save is to be opened
  SaveKind saveKind = SaveKind::model;
  std::string savePath;
  bool figures = false;             // the list of figures is to be opened
  bool thumbnails = false;          // the list of figures has been open
  const Method* pictured = nullptr; // the method whose picture is wanted
  bool heatMapBefore = false;       // Document::heatMap before painting, which shows weights
  bool about = false;
  bool problem = false;
  RecordOptions record;
  bool screenshotWindow = false; // a screenshot with the panels
};

} // namespace sinew
