#include "viewer/viewer.h"

#include "core/error.h"
#include "editor/apply.h"
#include "editor/document/side_models.h"
#include "editor/model_files.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/running_tasks.h"
#include "process/end_request.h"
#include "render/image.h"
#include "render/offscreen.h"
#include "viewer/actions.h"
#include "viewer/tools/tools.h"
#include "viewer/upload.h"
#include "viewer/viewer_state.h"
#include "viewer/viewport.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h> // ClosePopupToLevel

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>

namespace sinew {
namespace {

constexpr double kFixedStep = 1.0 / 60.0; // step with --frames, so that pictures can be compared
constexpr double kLongestStep = 0.1;      // limits the jump in time after a stall
constexpr int kSettleFrames = 3;          // ImGui needs some to react to an event
constexpr double kWatchSeconds = 0.3;     // between checks of the file
constexpr double kSlowSeconds =
    0.2; // between pictures where only a toast, a cursor or a progress bar changes
constexpr double kLastWait = 3.0; // seconds to wait for imports that do not stop when told

// How the loop runs; everything about the model is in Viewer.
struct Loop {
  double last = 0.0;       // time of the last picture
  double watched = 0.0;    // time of the last look at imports and file
  int pictures = 0;        // still to be drawn although nothing moves
  int counted = 0;         // frames counted for --frames
  bool continuous = false; // the last picture followed the one before without a pause
};

bool popupOpen() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool dialogOpening(const Ui& ui) {
  return ui.hotkeys || ui.open.opening || ui.recording || ui.saving || ui.figures || ui.about ||
         ui.problem;
}

void clearDialogs(Ui& ui) {
  ui.hotkeys = ui.open.opening = ui.recording = ui.figures = ui.about = ui.problem = false;
  ui.saving.reset();
}

// Within an ImGui frame: only then is it known whether a text field takes the keys.
void runChords(Viewer& viewer, const std::vector<Chord>& chords) {
  Ui& ui = viewer.ui;
  for (const auto& [name, repeat] : chords) {
    const bool opening = dialogOpening(ui); // opened by a key of this frame
    if (opening || popupOpen()) {
      if (name == "Ctrl+Q" && viewer.session.discard.asked) return askToQuit(viewer.session);
      if (name != "Escape") continue;
      cancelDiscard(viewer.session);
      clearDialogs(ui);
      if (popupOpen()) ImGui::ClosePopupToLevel(0, true);
      continue;
    }
    // The dialog's text field still has the keys in the first frame of a recording.
    if (name == "Escape" && cancelRecording(viewer.session, viewer.recorder)) continue;
    if (ImGui::GetIO().WantTextInput && !name.starts_with("Ctrl+")) continue;
    if (tourKey(viewer.session, name)) continue;
    if (paintKey(viewer.session.document, viewer.session.paint, name)) continue;
    const Action* action = actionOfChord(viewer.actions, name);
    if (action != nullptr && (!repeat || action->repeats)) action->run(viewer);
  }
}

// A window of N frames counts from the first picture of its model.
bool counting(const Viewer& viewer) {
  return viewer.options.frames > 0 && !viewer.session.imports.importing &&
         !isReadingSideModels(viewer.session);
}

bool active(const Viewer& viewer, const Loop& loop) {
  return viewer.options.frames > 0 || loop.pictures > 0 || recording(viewer.recorder) ||
         moving(viewer.session);
}

// A message ends, the cursor of a text field blinks, work in the background proceeds.
bool slowlyChanging(const Viewer& viewer) {
  return !viewer.ui.toasts.empty() || ImGui::GetIO().WantTextInput ||
         hasRunningTask(viewer.session) || !describeRecording(viewer.recorder).empty();
}

double waitSeconds(const Viewer& viewer, const Loop& loop, const Window& window) {
  if (window.hidden()) return kWatchSeconds;
  if (active(viewer, loop)) {
    if (viewer.options.frames > 0 || viewer.session.document.crowd) return 0.0;
    // Some drivers do not wait for the screen.
    return std::max(loop.last + 1.0 / static_cast<double>(window.refreshRate()) - glfwGetTime(),
                    0.0);
  }
  if (viewer.session.imports.importing || isReadingSideModels(viewer.session) ||
      binding(viewer.session.bind))
    return 0.05;
  return slowlyChanging(viewer) ? kSlowSeconds : kWatchSeconds;
}

// What the editor wants to be seen.
void showTopic(Document& document, Ui& ui) {
  const auto topic = std::exchange(document.notices.topic, std::nullopt);
  if (!topic) return;
  showTab(document, ui,
          *topic == Topic::look        ? SideTab::settings
          : *topic == Topic::bendRange ? SideTab::zone
          : *topic == Topic::layers    ? SideTab::layers
                                       : SideTab::bind);
}

void drawFrame(Viewer& viewer, Window& window, Loop& loop) {
  const double now = glfwGetTime();
  const double passed = now - std::exchange(loop.last, now);
  if (loop.continuous) viewer.statistics.frame.push(1000.0 * passed);
  loop.continuous = moving(viewer.session);
  const double step =
      recordStep(viewer.recorder)
          .value_or(viewer.options.frames > 0 ? (loop.counted > 1 ? kFixedStep : 0.0)
                                              : std::min(passed, kLongestStep));

  const FrameInput input = window.beginFrame(
      viewer.preferences.lightTheme, viewer.preferences.panelScale,
      popupOpen() || dialogOpening(viewer.ui) || viewer.ui.menuByKey || viewer.ui.openMenu);
  viewer.ui.doubleClick |= input.doubleClick;
  runChords(viewer, input.chords);
  if (viewer.ui.hotkeys) {
    viewer.found = viewer.actions;
    std::ranges::move(sessionActions(viewer.session), std::back_inserter(viewer.found));
  }
  const Menu menu{viewer.actions,
                  [&](const Action& action) { return action.checked && action.checked(viewer); },
                  viewer.found};
  const auto [rect, chosen] = drawPanels(viewer.session, viewer.ui, *viewer.graphics,
                                         viewer.statistics, viewer.recorder, menu);
  if (chosen != nullptr) chosen->run(viewer);
  mouseInput(viewer.session, viewer.ui, viewer.tools, rect, window.pixelsPerUnit());
  toolReadout(viewer.tools);
  viewer.ui.viewport = toViewport(rect, window.pixelsPerUnit(), window.framebufferHeight());
  showTopic(viewer.session.document, viewer.ui);
  if (viewer.session.document.crowd)
    aimCrowd(viewer.session.document, *viewer.graphics,
             currentView(viewer.session.document, viewer.ui, 0));
  advanceSession(viewer.session, static_cast<float>(step));
  uploadChanges(viewer.session, *viewer.graphics, viewer.statistics);
  uploadSideModels(viewer.session.document, *viewer.graphics);
  uploadFigure(viewer.session.figures, *viewer.graphics);
  uploadThumbnails(viewer.ui, *viewer.graphics);
  uploadMethodPicture(viewer.ui, *viewer.graphics);
  uploadTexture(viewer.session.document, viewer.ui, *viewer.graphics);
  recordFrame(viewer.session, viewer.recorder, *viewer.graphics);
  viewCaptions(viewer.session, viewer.ui, *viewer.graphics, viewer.statistics, rect);
  jointLabels(viewer.session.document, viewer.ui, rect);
  drawViewport(viewer.session, viewer.ui, viewer.tools, *viewer.graphics, viewer.statistics);
  saveScreenshots(viewer.session, viewer.ui, window, false);
  window.drawInterface();
  saveScreenshots(viewer.session, viewer.ui, window, true);
}

// Ends --frames: writes the requested picture, or throws if the model could not be read.
void finishFrames(const Viewer& viewer, const Window& window) {
  if (!viewer.options.screenshot.empty())
    writePng(viewer.options.screenshot,
             readBoundFramebuffer(0, 0, window.framebufferWidth(), window.framebufferHeight()));
  if (viewer.session.imports.failure)
    throw Error(viewer.session.imports.failure->cause, viewer.session.imports.failure->message);
}

bool pollAll(Viewer& viewer, const Window& window, const WindowEvents& events, Loop& loop) {
  Session& session = viewer.session;
  const double now = glfwGetTime();
  bool changed = events.any || window.waiting() || !session.document.notices.messages.empty();
  if (slowlyChanging(viewer) && now - loop.last >= kSlowSeconds)
    loop.pictures = std::max(loop.pictures, 1);
  if (!events.dropped.empty()) openFiles(session, events.dropped);
  if (hasRunningTask(session) || now - loop.watched > kWatchSeconds) {
    loop.watched = now;
    changed |= pollTasks(session, now);
    changed |= pollRecording(session.document, viewer.recorder);
    if (session.imports.pending) cancelRecording(session, viewer.recorder); // it is of this model
    showPendingImport(session, *viewer.graphics, viewer.statistics);
  }
  showTopic(session.document, viewer.ui);
  return changed && !window.hidden();
}

void warn(const std::string& warning) {
  std::fprintf(stderr, "sinew: warning: %s\n", warning.c_str());
}

void keepUnsaved(const Viewer& viewer) {
  if (!viewer.options.rememberSettings) return;
  try {
    const auto file = writeRecovery(viewer.session, stateFolder());
    if (!file.empty()) warn(fmt::format("unsaved work is in {}", file.string()));
  } catch (const Error& error) {
    warn(error.what());
  }
}

void runLoop(Viewer& viewer, Window& window) {
  Loop loop;
  std::string title;
  const EndRequest end; // like Quit, but without questions: unsaved work goes to a recovery file
  while (!viewer.session.quit && !end.made()) {
    window.poll(waitSeconds(viewer, loop, window));
    const WindowEvents events = window.takeEvents();
    if (window.closed()) {
      window.stayOpen();
      askToQuit(viewer.session);
    }
    if (pollAll(viewer, window, events, loop)) loop.pictures = kSettleFrames;
    if (!active(viewer, loop) || (window.hidden() && viewer.options.frames == 0)) {
      loop.continuous = false;
      continue;
    }
    const double due = loop.last + 1.0 / static_cast<double>(window.refreshRate());
    if (!viewer.session.document.crowd && viewer.options.frames == 0 &&
        glfwGetTime() < due - 1e-3 && !events.any)
      continue; // woken early
    loop.pictures = std::max(loop.pictures - 1, 0);
    if (counting(viewer)) ++loop.counted;
    viewer.graphics->still = loop.pictures == 0 && !moving(viewer.session);
    if (viewer.options.eachFrame) viewer.options.eachFrame(viewer, window.input());
    drawFrame(viewer, window, loop);
    const bool last = counting(viewer) && loop.counted >= viewer.options.frames;
    if (last) finishFrames(viewer, window);
    window.present();
    if (last) return;
    const std::string name = viewer.session.document.workbench.model.name;
    if (name != title) window.setTitle(fmt::format("{} - sinew", title = name));
  }
  if (!end.made()) return;
  recordRagdoll(viewer.session.document, viewer.session.play, false); // to a clip, which is kept
  keepUnsaved(viewer);
}

void savePreferences(Viewer& viewer, const Window& window, const Settings& before) {
  if (!viewer.options.rememberSettings) return;
  Preferences& preferences = viewer.preferences;
  preferences.window = window.place();
  preferences.recent = viewer.session.recent;
  preferences.hint &= !viewer.ui.hintDismissed;
  preferences.settings =
      settingsToRemember(before, viewer.options.settings, viewer.session.document.settings);
  try {
    writePreferences(configFolder(), preferences);
  } catch (const Error& error) {
    warn(error.what()); // the work is done; only the next start is less comfortable
  }
}

Preferences makePreferences(const ViewerOptions& options) {
  Preferences preferences;
  if (options.rememberSettings) preferences = readPreferences(configFolder());
  if (options.width > 0) preferences.window.width = options.width;
  if (options.height > 0) preferences.window.height = options.height;
  return preferences;
}

Viewer makeViewer(const ViewerOptions& options, Preferences preferences) {
  Viewer viewer;
  viewer.options = options;
  viewer.preferences = std::move(preferences);
  // One view of the characters' own colours, and a storage that draws a crowd in one call;
  // not the user's choice, so not remembered.
  if (options.stressVertices > 0) {
    viewer.options.settings.methods.resize(1);
    viewer.options.settings.palette = PaletteStorage::texture;
    // What is faster for one character need not be for a crowd.
    if (viewer.options.settings.skinOn == SkinOn::automatic)
      viewer.options.settings.skinOn = SkinOn::vertexShader;
    viewer.options.settings.difference.reset();
  }
  viewer.actions = viewerActions();
  viewer.session = makeSession(
      viewer.options.settings,
      {options.stressVertices, options.first.pose, options.frames > 0, options.first.morphs},
      Window::wake);
  viewer.session.options.ownMethod = options.ownMethod;
  viewer.session.recent = viewer.preferences.recent;
  if (options.rememberSettings) viewer.session.recoveries = findRecoveries(stateFolder());
  viewer.recorder.encoder = std::make_unique<Task<std::string>>(Window::wake);
  viewer.graphics.emplace();
  viewer.graphics->drawing = options.crowd;
  return viewer;
}

} // namespace

void runViewer(const ViewerOptions& options) {
  Preferences preferences = makePreferences(options);
  const Settings before = preferences.settings;
  // The window owns the OpenGL context, so it is made before and destroyed after everything that
  // lives in it, also where an exception passes.
  Window window(preferences.window, "sinew");
  if (options.stressVertices > 0 || options.frames > 0) window.setSwapInterval(0);
  Viewer viewer = makeViewer(options, std::move(preferences));
  Session& session = viewer.session;
  for (const std::string& warning : viewer.preferences.warnings) {
    warn(warning);
    notify(session.document, warning);
  }
  if (options.firstScreen) {
    session.guide.wanted = &firstScene();
    viewer.ui.hint = viewer.preferences.hint;
    putScene(firstScene(), session.document.settings);
  }
  ModelFiles given = modelFiles(options.models);
  if (!given.problem.empty()) throw usageError(given.problem);
  for (const std::string& file : given.files)
    if (isLightPicture(file)) session.document.settings.lightFrom = readLightPicture(file);
  std::erase_if(given.files, isLightPicture);
  if (options.sideBySide && given.files.size() > kMaxModels)
    throw usageError(
        fmt::format("--side-by-side shows up to {} models, not {}", kMaxModels, given.files.size()),
        "leave some of them out");
  if (options.sideBySide)
    session.files = given.files;
  else
    takeFiles(session, given.files);
  ModelRequest request{options.first};
  request.model = given.files.empty() ? kFirstModel : given.files.front();
  request.motionMapSaved = request.motionMap;
  openModel(session, std::move(request));
  if (options.sideBySide && given.files.size() > 1)
    openSideModels(session, {given.files.begin() + 1, given.files.end()});
  runLoop(viewer, window);
  endGuide(session);
  savePreferences(viewer, window, before);
  window.hide();
  const bool stopped =
      session.imports.importer->finish(kLastWait) &&
      session.sideImports.importer->finish(kLastWait) && session.bind.job->finish(kLastWait) &&
      viewer.recorder.encoder->finish(kLastWait) && session.tasks.report->finish(kLastWait) &&
      session.tasks.opener->finish(kLastWait) && session.tasks.motions->finish(kLastWait) &&
      session.figures.job->finish(kLastWait) && session.tasks.light->finish(kLastWait) &&
      session.check.job->finish(kLastWait) && session.check.repairJob->finish(kLastWait) &&
      session.play.fitting->finish(kLastWait);
  viewer.graphics.reset();
  // An importer stuck in a hostile file would be using what the process takes down when it exits.
  if (!stopped) std::_Exit(0);
}

} // namespace sinew
