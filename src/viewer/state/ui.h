// What the interface remembers between two frames. Panels are free functions that read and change
// it.
#pragma once

#include "editor/file_list.h"
#include "editor/time/timeline.h"
#include "view/view.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>

namespace sinew {

// In ImGui units.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

struct Toast {
  std::string text;
  double until = 0.0; // glfwGetTime()
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
  std::uint64_t revision = 0;         // Document::revision that all of it is about
  std::optional<std::uint32_t> joint; // that `influence` is about
  std::string influence;
  int limit = 0; // influences that `cut` is about
  std::string cut;
  std::uint32_t maxInfluences = 0; // of a vertex
};

// The tabs of the panel at the right.
enum class SideTab { settings, pose, zone, paint, splines, layers, ragdoll, bind, model, morph };

struct Ui {
  Notes notes;
  bool panels = true;
  SideTab tab = SideTab::settings;         // in front
  Viewport viewport;                       // the picture of the last frame: framebuffer pixels
  std::optional<std::uint32_t> shownJoint; // the selection that the list of joints has scrolled to
  bool scrollToJoint = false;
  float statisticsHeight = 0.0f; // of the last frame: the joints take the rest of the column
  OpenDialog open;
  bool hotkeys = false; // to be opened
  std::string hotkeySearch;
  std::size_t hotkeyMark = 0; // among what it finds
  std::string jointSearch;
  std::string clipSearch;
  std::string morphSearch;
  float bentDegrees = 30.0f;          // of subdivideBent()
  int curvePoint = -1;                // of the selected joint's curve, being dragged; -1: none
  TimeGrip timeGrip = TimeGrip::none; // being dragged
  std::deque<Toast> toasts;
  bool doubleClick = false; // since the last frame
  bool screenshot = false;  // of the view
  bool recording = false;   // its dialog is to be opened
  RecordOptions record;
  bool screenshotWindow = false; // with the panels
};

} // namespace sinew
