#include "app/method_list.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/setting_options.h"
#include "editor/preferences.h"
#include "viewer/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace sinew {
namespace {

struct ViewCommandOptions {
  ViewerOptions viewer;
  Size size{0, 0};
  std::string motionMapFile;
  bool remember = false;
  bool fresh = false;
};

// Settings are those remembered, changed by what stands on the command line. Options are applied in
// the order in which they were added, so these two come first: they decide what the others change.
void addMemoryOptions(Command& command, ViewCommandOptions& options) {
  command.beforeParsing = [&options] {
    options.viewer.settings = readPreferences(configFolder()).settings;
  };
  const auto setFrames = [&options](int frames) {
    options.viewer.frames = frames;
    options.viewer.settings = {};
  };
  command
      .add("--frames", setFrames,
           "end after N frames of the model, with default settings, and remember nothing")
      .range(1, 100000000);
  const auto startFresh = [&options] {
    options.fresh = true;
    options.viewer.settings = {};
  };
  command.add("--fresh", startFresh, "start with default settings and remember nothing");
  command.add("--remember", &options.remember, "remember settings even with --frames");
}

// Whether the first screen is shown: no model is given, and nothing else says what to show.
bool showsFirstScreen(const Command& command, const ViewerOptions& viewer) {
  if (!viewer.models.empty() || !viewer.first.motion.empty() || viewer.stressVertices > 0)
    return false;
  constexpr std::array kChoices{"--method",     "--clip",  "--time",     "--camera",
                                "--yaw",        "--pitch", "--distance", "--projection",
                                "--difference", "--pose",  "--layers",   "--show"};
  const auto given = [&](const char* name) { return command.given(name); };
  return std::ranges::none_of(kChoices, given) && viewer.settings.methods == Settings().methods;
}

ExitCode run(const Command& command, ViewCommandOptions& options) {
  ViewerOptions& viewer = options.viewer;
  viewer.firstScreen = showsFirstScreen(command, viewer);
  viewer.ownMethod = !command.given("--method");
  checkSettings(viewer.settings);
  checkSources(viewer.first);
  if (viewer.stressVertices > 0 && command.given("--method")) onlyMethod(viewer.settings);
  if (viewer.stressVertices > 0 && viewer.sideBySide)
    throw usageError("--stress shows one model", "leave --side-by-side out");
  if (viewer.stressVertices > 0 && command.given("--difference"))
    throw usageError("--stress shows no --difference", "leave one of them out");
  if (viewer.stressVertices == 0 && viewer.crowd != CrowdDrawing())
    throw usageError(
        "--palette-format, --bake-palette, --bake-vertices, --lod, --cull and --passes "
        "are for the stress scene",
        "add --stress N");
  if (!viewer.screenshot.empty() && viewer.frames == 0)
    throw usageError("--screenshot needs --frames", "for example --frames 30");
  viewer.rememberSettings = options.remember || (viewer.frames == 0 && !options.fresh);
  viewer.width = options.size.width;
  viewer.height = options.size.height;
  viewer.first.motionMap = openMotionMap(options.motionMapFile, viewer.first.motion);
  runViewer(viewer);
  return ExitCode::done;
}

} // namespace

Command viewCommand() {
  const auto options = std::make_shared<ViewCommandOptions>();
  Command command{"view",
                  "open the window ('sinew [MODEL]' is short for it); '?' in it lists the keys"};
  addMemoryOptions(command, *options);
  ViewerOptions& viewer = options->viewer;
  command
      .add("MODEL", &viewer.models,
           "model files, folders with such, or demo:NAME; without one a built-in character. The "
           "first is shown, PageDown shows the next")
      .as(ValueKind::model);
  command.add("--side-by-side", &viewer.sideBySide,
              "show all models at once, up to six; files after the first are to be looked at");
  addSources(command, viewer.first, options->motionMapFile);
  command.add("--stress", &viewer.stressVertices,
              "the stress scene: copies of the model, each in its own pose, of at least this "
              "many vertices");
  addCrowdDrawing(command, viewer.crowd);
  command
      .add(
          "--screenshot", [&viewer](const std::string& file) { viewer.screenshot = file; },
          "a PNG of the window when it ends; needs --frames")
      .as(ValueKind::file);
  addSize(command, options->size, {.min = {480, 320}}, "of the window [as remembered]");
  addSettings(command, viewer.settings);
  addShow(command, viewer.settings);
  addCamera(command, viewer.settings);
  command.examples = {"sinew model.fbx", "sinew model.fbx --motion walk.bvh --method dqs",
                      "sinew a.glb b.fbx c.x --side-by-side", "sinew --stress 1000000"};
  command.run = [options](const Command& given) { return run(given, *options); };
  return command;
}

} // namespace sinew
