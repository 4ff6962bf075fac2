#include "viewer/viewer.h"

#include "app/weights_sidecar.h"
#include "core/error.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "viewer/bind.h"
#include "viewer/paint_tool.h"
#include "viewer/session.h"
#include "viewer/tools.h"
#include "viewer/viewport.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h> // ClosePopupToLevel

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace sinew {
namespace {

constexpr double kFixedStep = 1.0 / 60.0; // with --frames, so that pictures can be compared
constexpr double kLongestStep = 0.1;      // after a pause time goes on, it does not jump
constexpr int kSettleFrames = 3;          // ImGui needs some to react to an event
constexpr double kWatchSeconds = 0.3;     // between two looks at the file
constexpr double kLastWait = 3.0;         // for imports that do not stop when told

// How the loop runs; everything about the model is in Viewer.
struct Loop {
  double last = 0.0;       // time of the last picture
  double watched = 0.0;    // time of the last look at imports and file
  int pictures = 0;        // still to be drawn although nothing moves
  int counted = 0;         // of --frames
  bool continuous = false; // the last picture followed the one before without a pause
};

bool popupOpen() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// Within an ImGui frame: only then is it known whether a text field takes the keys.
void runChords(Viewer& viewer, const std::vector<Chord>& chords) {
  Ui& ui = viewer.ui;
  for (const auto& [name, repeat] : chords) {
    const bool opening = ui.hotkeys || ui.open.opening; // by a key of this very frame
    if (opening || popupOpen()) {
      if (name == "Ctrl+Q" && ui.leave.asked) return askToQuit(viewer);
      if (name != "Escape") continue;
      stay(viewer);
      ui.hotkeys = ui.open.opening = false;
      if (popupOpen()) ImGui::ClosePopupToLevel(0, true);
      continue;
    }
    if (ImGui::GetIO().WantTextInput && !name.starts_with("Ctrl+")) continue;
    if (paintKey(viewer, name)) continue;
    const Action* action = actionOfChord(viewer.actions, name);
    if (action != nullptr && (!repeat || action->repeats)) action->run(viewer);
  }
}

// A window of N frames counts from the first picture of its model.
bool counting(const Viewer& viewer) {
  return viewer.options.frames > 0 && !viewer.importing;
}

bool active(const Viewer& viewer, const Loop& loop) {
  return viewer.options.frames > 0 || loop.pictures > 0 || moving(viewer);
}

double waitSeconds(const Viewer& viewer, const Loop& loop, const Window& window) {
  if (window.hidden()) return kWatchSeconds;
  if (active(viewer, loop)) {
    if (viewer.options.frames > 0 || viewer.crowd) return 0.0;
    // Some drivers do not wait for the screen.
    return std::max(loop.last + 1.0 / static_cast<double>(window.refreshRate()) - glfwGetTime(),
                    0.0);
  }
  return viewer.importing || binding(viewer) ? 0.05 : kWatchSeconds;
}

void drawFrame(Viewer& viewer, Window& window, Loop& loop) {
  const double now = glfwGetTime();
  const double passed = now - std::exchange(loop.last, now);
  if (loop.continuous) viewer.statistics.frame.push(1000.0 * passed);
  loop.continuous = moving(viewer);
  const double step = viewer.options.frames > 0 ? (loop.counted > 1 ? kFixedStep : 0.0)
                                                : std::min(passed, kLongestStep);

  const FrameInput input = window.beginFrame();
  viewer.ui.doubleClick |= input.doubleClick;
  runChords(viewer, input.chords);
  const Rect rect = drawPanels(viewer);
  mouseInput(viewer, rect, window.pixelsPerUnit());
  toolReadout(viewer);
  viewer.viewport = viewportOf(rect, window.pixelsPerUnit(), window.framebufferHeight());
  advanceScene(viewer, static_cast<float>(step));
  viewCaptions(viewer, rect);
  drawViewport(viewer);
  saveScreenshots(viewer, window, false);
  window.drawInterface();
  saveScreenshots(viewer, window, true);
}

// At the end of --frames: the picture asked for, and the error if the model could not be read.
void finishFrames(const Viewer& viewer, const Window& window) {
  if (!viewer.options.screenshot.empty())
    writePng(viewer.options.screenshot,
             readBoundFramebuffer(0, 0, window.framebufferWidth(), window.framebufferHeight()));
  if (viewer.failure) throw Error(viewer.failure->code, viewer.failure->message);
}

bool pollAll(Viewer& viewer, const Window& window, const WindowEvents& events, Loop& loop) {
  const double now = glfwGetTime();
  bool changed =
      events.any || window.waiting() || !viewer.ui.toasts.empty() || ImGui::GetIO().WantTextInput;
  if (!events.dropped.empty()) openFile(viewer, events.dropped.back());
  const bool importing = viewer.importing.has_value() || binding(viewer);
  if (importing || now - loop.watched > kWatchSeconds) {
    loop.watched = now;
    changed |= pollBinding(viewer);
    changed |= pollImport(viewer, now) || importing;
  }
  return changed && !window.hidden();
}

void runLoop(Viewer& viewer, Window& window) {
  Loop loop;
  std::string title;
  while (!viewer.quit) {
    window.poll(waitSeconds(viewer, loop, window));
    const WindowEvents events = window.takeEvents();
    if (window.closed()) {
      window.stayOpen();
      askToQuit(viewer);
    }
    if (pollAll(viewer, window, events, loop)) loop.pictures = kSettleFrames;
    if (!active(viewer, loop) || (window.hidden() && viewer.options.frames == 0)) {
      loop.continuous = false;
      continue;
    }
    const double due = loop.last + 1.0 / static_cast<double>(window.refreshRate());
    if (!viewer.crowd && viewer.options.frames == 0 && glfwGetTime() < due - 1e-3 && !events.any)
      continue; // woken early
    loop.pictures = std::max(loop.pictures - 1, 0);
    if (counting(viewer)) ++loop.counted;
    drawFrame(viewer, window, loop);
    const bool last = counting(viewer) && loop.counted >= viewer.options.frames;
    if (last) finishFrames(viewer, window);
    window.present();
    if (last) return;
    const std::string name = viewer.bench.model.name;
    if (name != title) window.setTitle(fmt::format("{} - sinew", title = name));
  }
}

void say(const std::string& warning) {
  std::fprintf(stderr, "sinew: warning: %s\n", warning.c_str());
}

void remember(Viewer& viewer, const Window& window, const Settings& before) {
  if (!viewer.options.rememberSettings) return;
  viewer.memory.window = window.place();
  viewer.memory.settings = settingsToRemember(before, viewer.options.settings, viewer.settings);
  try {
    writeMemory(configFolder(), viewer.memory);
  } catch (const Error& error) {
    say(error.what()); // the work is done; only the next start is less comfortable
  }
}

Viewer makeViewer(const ViewerOptions& options) {
  Viewer viewer;
  viewer.options = options;
  if (options.rememberSettings) viewer.memory = readMemory(configFolder());
  if (options.width > 0) viewer.memory.window.width = options.width;
  if (options.height > 0) viewer.memory.window.height = options.height;
  // One view of the characters' own colours, and the only storage that draws a crowd in one call;
  // not the user's choice, so not remembered.
  if (options.stressVertices > 0) {
    const MethodChoice first = methodChoices(options.settings.method).front();
    viewer.options.settings.method = methodListOf({&first, 1});
    viewer.options.settings.palette = "texture";
    viewer.options.settings.difference = "none";
  }
  viewer.settings = viewer.applied = viewer.options.settings;
  viewer.actions = viewerActions();
  viewer.importer = std::make_unique<Importer>(Window::wake);
  viewer.bind.job = std::make_unique<Background<BindOutcome>>(Window::wake);
  return viewer;
}

} // namespace

int runViewer(const ViewerOptions& options) {
  Viewer viewer = makeViewer(options);
  const Settings before = viewer.memory.settings;
  Window window(viewer.memory.window, "sinew");
  if (options.stressVertices > 0 || options.frames > 0) window.setSwapInterval(0);
  viewer.graphics.emplace();
  for (const std::string& warning : viewer.memory.warnings) {
    say(warning);
    toast(viewer, warning);
  }
  openModel(viewer, {.model = options.model.empty() ? kFirstModel : options.model,
                     .motion = options.motion,
                     .zones = options.zones,
                     .weights = namesWeightsFile(options.weights) ? options.weights : "",
                     .movement = options.movement});
  runLoop(viewer, window);
  remember(viewer, window, before);
  window.hide();
  const bool stopped = viewer.importer->finish(kLastWait) && viewer.bind.job->finish(kLastWait);
  viewer.graphics.reset();
  // An importer stuck in a hostile file would be using what the process takes down when it exits.
  if (!stopped) std::_Exit(0);
  return 0;
}

} // namespace sinew
