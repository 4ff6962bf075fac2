// All the viewer knows between two frames. Panels are free functions that read and change it; what
// a change of settings means for rig and GPU is done once a frame by applySettings() (session.h).
#pragma once

#include "app/crowd.h"
#include "app/picture.h"
#include "app/workbench.h"
#include "gl/context.h"
#include "gl/framebuffer.h"
#include "gl/timer.h"
#include "viewer/actions.h"
#include "viewer/bind_state.h"
#include "viewer/camera_control.h"
#include "viewer/editing.h"
#include "viewer/file_list.h"
#include "viewer/file_watch.h"
#include "viewer/importer.h"
#include "viewer/memory.h"
#include "viewer/playback.h"
#include "viewer/ragdoll_play.h"
#include "viewer/rolling.h"
#include "viewer/timeline.h"
#include "viewer/unsaved.h"
#include "viewer/viewer.h"
#include "viewer/views.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// What lives in the OpenGL context; made after the window. The picture is drawn into a framebuffer
// of its own, as without a window: edges are smooth whatever the display offers.
struct Graphics {
  Picture picture;
  std::optional<Framebuffer> samples; // several a pixel; none: drawn into `pixels` at once
  std::optional<Framebuffer> pixels;
  std::vector<GpuTimer> timers; // one per view
  GlInfo info = glInfo();
};

struct ViewStatistics {
  Rolling gpu; // milliseconds
  DrawCount drawn;
};

struct Statistics {
  Rolling pose, palette, difference, upload, gpu, frame; // milliseconds; gpu: of all views
  DrawCount drawn;                                       // in all views
  std::vector<ViewStatistics> views;
};

struct Toast {
  std::string text;
  double until = 0.0; // glfwGetTime()
};

// What is being imported and what to do with it.
struct ImportRequest {
  std::string model = {};
  std::string motion = {};
  std::string zones = {};    // empty: those beside the model
  std::string weights = {};  // empty: those beside the model; "none": its own
  std::string movement = {}; // empty: none
  bool reload = false;       // keeps camera, clip, time and joint
  bool motionIfBare = false; // a file of motion alone goes onto the current model
  std::string method = {};   // what it is bound with
  std::string parameters = {};
  std::string difference = {};
  int influences = 4;
  bool fallback = false; // there has to be something under the message of a failure
};

// What a chosen file is for.
enum class Browse { model, motion, edits, skeleton };

struct OpenDialog {
  bool opening = false; // to be shown from the next frame on
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

// What panels say of the model that takes a walk over all its vertices; made when first needed.
struct Notes {
  std::optional<std::uint32_t> joint; // that `influence` is about
  std::string influence;
  int kept = 0; // influences that `cut` is about
  std::string cut;
  std::uint32_t most = 0; // influences of a vertex
};

// The tabs of the panel at the right.
enum class SideTab { settings, pose, zone, paint, layers, ragdoll, bind, model };

struct Ui {
  Notes notes;
  bool panels = true;
  SideTab tab = SideTab::settings; // in front
  bool scrollToJoint = false;
  float statisticsHeight = 0.0f; // of the last frame: the joints take the rest of the column
  OpenDialog open;
  bool hotkeys = false; // to be opened
  std::string hotkeySearch;
  std::string jointSearch;
  std::string clipSearch;
  TimelineUi timeline;
  std::size_t layer = 0; // of the movement, chosen in its panel
  std::deque<Toast> toasts;
  LeaveQuestion leave;
  bool doubleClick = false;      // since the last frame
  bool screenshot = false;       // of the view
  bool screenshotWindow = false; // with the panels
};

struct Viewer {
  ViewerOptions options;
  Memory memory;
  Settings settings;
  Settings applied; // what rig and GPU were last brought up to date with
  Workbench bench;
  PlayClock clock;
  std::optional<Crowd> crowd; // the stress scene
  float crowdSeconds = 0.0f;
  std::optional<Graphics> graphics;

  // The current model.
  ImportRequest loaded;
  FileWatch watch;
  Orbit orbit;
  vec3 framedAt{0.0f}; // middle of the joints when the camera was placed
  bool follow = true;  // the camera goes along when a clip carries the model away
  Viewport viewport;   // the picture of the last frame: framebuffer pixels
  Views views;
  std::vector<std::uint32_t> joints;     // jointNodes()
  std::optional<std::uint32_t> selected; // node of a joint
  bool heatMap = false;                  // of the selected joint
  Editing edit;
  BindState bind;
  RagdollPlay ragdoll;
  bool stale = true; // pose and palette are to be made anew

  std::optional<ImportRequest> importing;
  std::unique_ptr<Importer> importer;
  std::optional<ImportFailure> failure; // shown until closed
  ImportRequest failed;

  std::vector<Action> actions;
  Statistics statistics;
  Ui ui;
  bool quit = false;
};

} // namespace sinew
