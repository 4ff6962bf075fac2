#include "tools/soak/soak.h"

#include "app/load_model.h"
#include "app/settings_view.h"
#include "core/error.h"
#include "editor/session.h"
#include "gl/context.h"
#include "gl/load.h"
#include "picture/scene_renderer.h"
#include "picture/views_picture.h"
#include "tools/soak/footprint.h"
#include "tools/soak/random_user.h"
#include "viewer/viewer.h"
#include "viewer/viewer_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace sinew {
namespace {

constexpr int kFramesOfLoad = 3;      // frames that the window shows a model
constexpr int kFramesOfSettings = 10; // frames with the same random settings
constexpr int kFramesOfBinding = 20;  // frames with the same methods
constexpr int kFramesOfModel = 100;
constexpr int kFramesOfClicks = 400; // frames with the same model
constexpr int kWindowWidth = 480;
constexpr int kWindowHeight = 320;

// In the first round no model gave way to another; in the next two the driver's threads take pages
// that they keep, though the heap holds as much as before.
constexpr std::size_t kWarmUp = 3; // rounds
constexpr std::size_t kRounds = 6; // at least so many

// What the process held after each round.
class Rounds {
 public:
  void end(int loads, const Footprint& now) {
    fmt::print("{:6} loads: {}\n", loads, toString(now));
    std::fflush(stdout);
    rounds_.push_back(now);
  }

  // Whether there were so many loads, and enough rounds to tell.
  bool done(int loads, int count) const { return loads >= count && rounds_.size() >= kRounds; }

  // Threads of the graphics driver free memory when they like, so resident memory goes up and down
  // by a megabyte: the least of the later half of the rounds tells what does not come back.
  void check() const {
    Footprint last = rounds_.back();
    for (std::size_t i = rounds_.size() / 2; i < rounds_.size(); ++i)
      last.resident = std::min(last.resident, rounds_[i].resident);
    if (const std::string grown = growth(rounds_[kWarmUp - 1], last); !grown.empty())
      throw std::runtime_error(
          fmt::format("the process has grown since round {}: {}", kWarmUp, grown));
  }

 private:
  std::vector<Footprint> rounds_;
};

// Calls load(model) for the models in turn until there were so many.
template <class Load>
void loadInRounds(const SoakOptions& options, const Load& load) {
  Rounds rounds;
  int loads = 0;
  do {
    for (const std::string& model : options.models)
      load(model);
    loads += static_cast<int>(options.models.size());
    rounds.end(loads, footprint());
  } while (!rounds.done(loads, options.count));
  rounds.check();
}

Settings settingsOfLoads() {
  Settings settings;
  readSetting("lbs,arc-spline", settings.methods);
  return settings;
}

Workbench loadWorkbench(const std::string& model, const Settings& settings) {
  Workbench workbench = makeWorkbench(loadModel(model), settings);
  evaluate(workbench, 0.5, Wrap::loop);
  return workbench;
}

ViewerOptions windowOptions(const SoakOptions& options) {
  ViewerOptions viewer;
  viewer.models = {options.models.front()};
  viewer.frames = std::numeric_limits<int>::max();
  viewer.rememberSettings = false;
  viewer.width = kWindowWidth;
  viewer.height = kWindowHeight;
  return viewer;
}

void checkFinite(const Document& document) {
  for (const mat4& matrix : document.workbench.modelFromNode)
    if (!isFinite(matrix))
      throw std::runtime_error(fmt::format("{}: a node is nowhere", document.workbench.model.name));
}

// True while the session shows a model, and no other is on its way.
bool shows(const Session& session) {
  if (session.imports.failure)
    throw Error(session.imports.failure->cause, session.imports.failure->message);
  return !session.imports.importing && !session.imports.pending;
}

} // namespace

void soakLibrary(const SoakOptions& options) {
  const Settings settings = settingsOfLoads();
  loadInRounds(options, [&](const std::string& model) { loadWorkbench(model, settings); });
}

void soakPictures(const SoakOptions& options) {
  const HeadlessContext context;
  const Settings settings = settingsOfLoads();
  loadInRounds(options, [&](const std::string& model) {
    {
      const Workbench workbench = loadWorkbench(model, settings);
      SceneRenderer scene;
      uploadModel(scene, workbench, settings);
      OffscreenTarget target;
      const Bounds bounds = posedOutline(workbench);
      drawViews(target, {128, 64, 1}, workbench, settings, bounds,
                [&](std::size_t index, const Viewport& viewport) {
                  const Camera camera = makeCamera(settings, bounds, viewport.aspect());
                  drawScene(scene, workbench, settings,
                            makeView(settings, camera, bounds, viewport), {}, index);
                });
    }
    checkGlErrors(model);
    if (const std::size_t left = countGlObjects(); left > 0)
      throw std::runtime_error(fmt::format("{}: {} GL objects are left", model, left));
  });
}

void soakWindow(const SoakOptions& options) {
  ViewerOptions viewer = windowOptions(options);
  Rounds rounds;
  int frames = 0;
  std::size_t loads = 0;
  viewer.eachFrame = [&](Viewer& window, InputQueue&) {
    Session& session = window.session;
    if (!shows(session) || ++frames < kFramesOfLoad) return;
    checkGlErrors(session.document.workbench.model.name);
    frames = 0;
    ++loads;
    const std::size_t count = options.models.size();
    if (loads % count == 0) rounds.end(static_cast<int>(loads), footprint(countGlObjects()));
    session.quit = loads % count == 0 && rounds.done(static_cast<int>(loads), options.count);
    // However long the next one takes to read, this one is not drawn in further poses: one that is
    // scaled is drawn by a program of its own.
    session.document.settings.playing = false;
    if (!session.quit) openModel(session, {{.model = options.models[loads % count]}});
  };
  runViewer(viewer);
  rounds.check();
}

void soakFrames(const SoakOptions& options) {
  ViewerOptions viewer = windowOptions(options);
  Random random(options.seed);
  int frames = 0;
  std::size_t messages = 0;
  viewer.eachFrame = [&](Viewer& window, InputQueue&) {
    Session& session = window.session;
    if (!shows(session)) return;
    Document& document = session.document;
    checkGlErrors(document.workbench.model.name);
    messages += document.notices.messages.size();
    if (++frames >= options.count) {
      session.quit = true;
    } else if (frames % kFramesOfModel == 0) {
      const auto next = static_cast<std::size_t>(frames / kFramesOfModel);
      fmt::print("{:6} frames: {}\n", frames, toString(footprint(countGlObjects())));
      std::fflush(stdout);
      openModel(session, {{.model = options.models[next % options.models.size()]}});
    } else if (frames % kFramesOfSettings == 0) {
      document.settings =
          randomSettings(document.workbench.model, random,
                         frames % kFramesOfBinding == 0 ? nullptr : &document.settings);
    }
  };
  runViewer(viewer);
  fmt::print("{:6} frames, {} messages\n", frames, messages);
}

void soakClicks(const SoakOptions& options) {
  ViewerOptions viewer = windowOptions(options);
  viewer.width = 1100; // room for all panels
  viewer.height = 700;
  Random random(options.seed);
  RandomInput input(random);
  int frames = 0;
  viewer.eachFrame = [&](Viewer& window, InputQueue& queue) {
    Session& session = window.session;
    if (session.imports.importing || session.imports.pending) return;
    const Document& document = session.document;
    checkGlErrors(document.workbench.model.name);
    checkFinite(document);
    session.quit = ++frames >= options.count;
    const auto next = static_cast<std::size_t>(frames / kFramesOfClicks) % options.models.size();
    // Never beside a model of somebody else, which the dialog has found, where it would save.
    if (frames % kFramesOfClicks == 0 || document.loaded.model != options.models[next]) {
      fmt::print("{:6} frames: {}\n", frames, toString(footprint(countGlObjects())));
      std::fflush(stdout);
      openModel(session, {{.model = options.models[next]}});
    } else if (queue.empty()) {
      input.add(window, queue);
    }
  };
  while (frames < options.count) // also the window may be asked to close
    runViewer(viewer);
  fmt::print("{:6} frames of clicks\n", frames);
}

} // namespace sinew
