#include "viewer/command_view.h"

#include "app/method_list.h"
#include "viewer/memory.h"
#include "viewer/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>

namespace sinew {
namespace {

struct CommandOptions {
  ViewerOptions viewer;
  Size size{0, 0};
  bool remember = false;
  bool fresh = false;
};

// Settings are those remembered, changed by what stands on the command line. CLI11 sets options in
// the order they were added, so these two come first: they decide what the others change.
void addMemoryOptions(CLI::App& command, CommandOptions& options) {
  command.preparse_callback(
      [&options](std::size_t) { options.viewer.settings = readMemory(configFolder()).settings; });
  command
      .add_option_function<int>(
          "--frames",
          [&options](int frames) {
            options.viewer.frames = frames;
            options.viewer.settings = {};
          },
          "end after N frames of the model, with default settings, and remember nothing")
      ->check(CLI::PositiveNumber);
  command.add_flag_callback(
      "--fresh",
      [&options] {
        options.fresh = true;
        options.viewer.settings = {};
      },
      "start with default settings and remember nothing");
  command.add_flag("--remember", options.remember, "remember settings even with --frames");
}

// Without a model: the built-in character under linear blending and under arc-splines, in a clip
// and from a side that show what the second is for. What the user chooses stays chosen.
void setUpDemo(const CLI::App& command, Settings& settings) {
  const auto given = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const char* name) { return command.count(name) > 0; });
  };
  if (!given({"--method"}) && settings.method == Settings().method)
    settings.method = "lbs,arc-spline";
  if (!given({"--clip", "--time"})) {
    settings.clip = "stretch";
    settings.time = 1.2f; // the arms are out: the camera shows the whole of the movement
  }
  if (given({"--camera", "--yaw", "--pitch", "--distance"})) return;
  settings.yaw = 15.0f;
  settings.pitch = 8.0f;
}

ExitCode run(const CLI::App& command, CommandOptions& options) {
  ViewerOptions& viewer = options.viewer;
  if (viewer.model.empty() && viewer.motion.empty() && viewer.stressVertices == 0)
    setUpDemo(command, viewer.settings);
  checkSettings(viewer.settings);
  if (viewer.stressVertices > 0 && command.count("--method") > 0) onlyMethod(viewer.settings);
  if (viewer.stressVertices > 0 && command.count("--difference") > 0)
    throw usageError("--stress shows no --difference", "leave one of them out");
  if (!viewer.pose.empty() && !viewer.movement.empty())
    throw usageError("--pose holds one pose and --movement moves it", "leave one of them out");
  if (!viewer.screenshot.empty() && viewer.frames == 0)
    throw usageError("--screenshot needs --frames", "for example --frames 30");
  viewer.rememberSettings = options.remember || (viewer.frames == 0 && !options.fresh);
  viewer.width = options.size.width;
  viewer.height = options.size.height;
  return static_cast<ExitCode>(runViewer(viewer));
}

} // namespace

void addViewCommand(CommandLine& line) {
  const auto options = std::make_shared<CommandOptions>();
  CLI::App* command = line.app.add_subcommand(
      "view", "open the window ('sinew [MODEL]' is short for it); '?' in it lists the keys");
  addMemoryOptions(*command, *options);
  ViewerOptions& viewer = options->viewer;
  command->add_option("MODEL", viewer.model,
                      "a model file, or demo:NAME; without one a built-in character");
  command->add_option("--motion", viewer.motion,
                      "put the animation of this file on the model, by joint name");
  command->add_option("--pose", viewer.pose, "hold a pose saved as JSON");
  command->add_option("--movement", viewer.movement,
                      "layers over the clip, saved as JSON (docs/movement.md)");
  command->add_option("--zones", viewer.zones,
                      "zones of joints saved as JSON [MODEL.zones.json where it is there]");
  addWeightsFile(*command, viewer.weights);
  command->add_option("--stress", viewer.stressVertices,
                      "the stress scene: copies of the model, each in its own pose, of at least so "
                      "many vertices");
  command->add_option("--screenshot", viewer.screenshot,
                      "a PNG of the window when it ends; needs --frames");
  command
      ->add_option_function<std::string>(
          "--size",
          [size = &options->size](const std::string& text) {
            char rest = 0;
            if (std::sscanf(text.c_str(), "%dx%d%c", &size->width, &size->height, &rest) != 2 ||
                size->width < 480 || size->height < 320 || size->width > 16384 ||
                size->height > 16384)
              throw usageError(fmt::format(
                  "--size '{}': expected WIDTHxHEIGHT from 480x320 to 16384x16384", text));
          },
          "of the window [as remembered]")
      ->type_name("WxH");
  addSettings(*command, viewer.settings);
  addShow(*command, viewer.settings);
  addCamera(*command, viewer.settings);
  command->footer("Examples:\n"
                  "  sinew model.fbx\n"
                  "  sinew model.fbx --motion walk.bvh --method dqs\n"
                  "  sinew --stress 1000000");
  command->callback([&line, options, command] {
    line.run = [options, command] { return run(*command, *options); };
  });
}

} // namespace sinew
