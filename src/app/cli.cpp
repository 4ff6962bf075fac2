#include "app/cli.h"

#include "animation/motion.h"
#include "animation/movement_json.h"
#include "app/load_model.h"
#include "app/method_list.h"
#include "app/weights_sidecar.h"
#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

namespace sinew {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(part);
  return parts;
}

// Numbers separated by commas; throws usageError unless there are `count` of them.
std::vector<float> numbers(const std::string& option, const std::string& text, std::size_t count) {
  std::vector<float> values;
  for (const std::string& part : split(text, ',')) {
    char* end = nullptr;
    values.push_back(std::strtof(part.c_str(), &end));
    if (part.empty() || *end != '\0' || !std::isfinite(values.back()))
      throw usageError(fmt::format("{}: '{}' is not a number", option, part));
  }
  if (values.size() != count)
    throw usageError(fmt::format("{} takes {} numbers separated by commas", option, count));
  return values;
}

void addOption(CLI::App& command, const OptionInfo& info, std::string& field) {
  auto* option = command.add_option("--" + std::string(info.name), field, std::string(info.help));
  if (!info.choices.empty()) {
    std::string known;
    for (const std::string& choice : info.choices)
      known += (known.empty() ? "" : "|") + choice;
    option->type_name(known);
  }
  if (!field.empty()) option->capture_default_str();
}

template <class T>
void addNumber(CLI::App& command, const OptionInfo& info, T& field) {
  auto* option = command.add_option("--" + std::string(info.name), field, std::string(info.help));
  if (info.minimum < info.maximum)
    option->type_name(fmt::format("{}..{}", info.minimum, info.maximum));
  option->capture_default_str();
}

void addOption(CLI::App& command, const OptionInfo& info, int& field) {
  addNumber(command, info, field);
}

void addOption(CLI::App& command, const OptionInfo& info, float& field) {
  addNumber(command, info, field);
}

void addOption(CLI::App& command, const OptionInfo& info, bool& field) {
  const std::string name(info.name);
  command.add_flag("--" + name + ",!--no-" + name, field, std::string(info.help));
}

void addOption(CLI::App& command, const OptionInfo& info, vec3& field) {
  const std::string name = "--" + std::string(info.name);
  command
      .add_option_function<std::string>(
          name,
          [&field, name](const std::string& text) {
            const auto v = numbers(name, text, 3);
            field = {v[0], v[1], v[2]};
          },
          std::string(info.help))
      ->type_name("R,G,B");
}

void showWord(Settings& settings, const std::string& word) {
  const bool on = word.rfind("no-", 0) != 0;
  const std::string name = on ? word : word.substr(3);
  if (name.rfind("weights:", 0) == 0) {
    settings.weightsOf = name.substr(8);
    return;
  }
  bool found = false;
  std::vector<std::string> known{"weights:JOINT"};
  visitSettings(settings, [&](const OptionInfo& info, auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, bool>) {
      if (info.group != "Show") return;
      known.emplace_back(info.name);
      if (info.name != name) return;
      field = on;
      found = true;
    }
  });
  if (!found) throw unknownName("thing to show", word, known);
}

constexpr const char* kWeights = "--weights";

// Both a file and a joint are called so: what is no file is the joint.
void shareWeightsOption(CLI::App& command, const OptionInfo& info, std::string& joint) {
  CLI::Option* option = command.get_option(kWeights);
  option->description(fmt::format("{}; or a joint: {}", option->get_description(), info.help));
  option->type_name("FILE.json|none|JOINT");
  command.parse_complete_callback([option, &joint] {
    if (option->count() == 0) return;
    const auto word = option->as<std::string>();
    if (!namesWeightsFile(word)) joint = word;
  });
}

// Not a joint, where those cannot be meant.
void checkWeightsFile(const ModelOptions& options, const Settings& settings) {
  const std::string& word = options.weights;
  if (word.empty() || namesWeightsFile(word) || word == settings.weightsOf) return;
  throw usageError(
      fmt::format("--weights '{}': a file of weights is expected, FILE.json, or none", word));
}

} // namespace

void addWeightsFile(CLI::App& command, std::string& weights) {
  command
      .add_option(kWeights, weights,
                  "weights saved as JSON [MODEL.weights.json where it is there], or none: the "
                  "model's own")
      ->type_name("FILE.json|none");
}

void addMovementOption(CLI::App& command, ModelOptions& options) {
  command.add_option("--movement", options.movement,
                     "layers over the clip, saved as JSON (docs/movement.md)");
}

void addModelOptions(CLI::App& command, ModelOptions& options) {
  command.add_option("MODEL", options.model, "a model file, or demo:NAME ('sinew info --list')")
      ->required();
  command.add_option("--motion", options.motion,
                     "put the animation of this file on the model, by joint name");
  command.add_option("--pose", options.pose, "hold a pose saved as JSON");
  addMovementOption(command, options);
  command.add_option("--zones", options.zones,
                     "zones of joints saved as JSON [MODEL.zones.json where it is there]");
  addWeightsFile(command, options.weights);
  command
      .add_option("--time-limit", options.timeLimit,
                  "seconds the file may take to read; exit code 4")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  command.add_flag("--json", options.json, "one JSON document on stdout, messages on stderr");
  command.add_flag("--quiet,-q", options.quiet, "no messages but errors");
}

void addSettings(CLI::App& command, Settings& settings, std::vector<std::string> groups) {
  visitSettings(settings, [&](const OptionInfo& info, auto& field) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), info.group) == groups.end())
      return;
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::string>)
      if (info.name == "weights" && command.get_option_no_throw(kWeights) != nullptr)
        return shareWeightsOption(command, info, field);
    addOption(command, info, field);
    command.get_option("--" + std::string(info.name))->group(std::string(info.group));
  });
}

void addShow(CLI::App& command, Settings& settings) {
  command
      .add_option_function<std::string>(
          "--show",
          [&settings](const std::string& words) {
            for (const std::string& word : split(words, ','))
              showWord(settings, word);
          },
          "what to show besides the mesh: skeleton, wireframe, normals, weights:JOINT, no-grid, "
          "no-textures, separated by commas")
      ->type_name("LIST")
      ->group("Show");
}

void addCamera(CLI::App& command, Settings& settings) {
  command
      .add_option_function<std::string>(
          "--camera",
          [&settings](const std::string& text) {
            const auto v = numbers("--camera", text, 3);
            settings.yaw = v[0];
            settings.pitch = v[1];
            settings.distance = v[2];
          },
          "the three below at once; angles in degrees")
      ->type_name("YAW,PITCH,DISTANCE")
      ->group("Camera");
}

void addSize(CLI::App& command, Size& size) {
  command
      .add_option_function<std::string>(
          "--size",
          [&size](const std::string& text) {
            char rest = 0;
            if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 ||
                size.width < 1 || size.height < 1 || size.width > 16384 || size.height > 16384)
              throw usageError(
                  fmt::format("--size '{}': expected WIDTHxHEIGHT, each 1 to 16384", text));
          },
          fmt::format("picture size [{}x{}]", size.width, size.height))
      ->type_name("WxH");
}

Workbench openWorkbench(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkSettings(settings);
  if (methods == Methods::one) onlyMethod(settings);
  LoadOptions load;
  load.motion = options.motion;
  load.seconds = options.timeLimit;
  checkWeightsFile(options, settings);
  MotionReport report;
  load.report = &report;
  Model model = loadModel(options.model, load);
  readWeights(model, options.model, namesWeightsFile(options.weights) ? options.weights : "");
  Zones zones = readZones(model, options.model, options.zones);
  if (!options.pose.empty() && !options.movement.empty())
    throw usageError("--pose holds one pose and --movement moves it", "leave one of them out");
  Movement movement;
  if (!options.movement.empty())
    movement = movementFromJson(model, readFile(options.movement), options.movement);
  Workbench bench =
      makeWorkbench(std::move(model), settings, std::move(zones), std::move(movement));
  if (!options.motion.empty()) bench.motion = std::make_shared<MotionReport>(std::move(report));
  if (!options.pose.empty())
    holdPose(bench, poseFromJson(bench.model.hierarchy, readFile(options.pose), options.pose));
  if (!options.quiet) {
    for (const std::string& line : bench.model.repairs)
      fmt::print(stderr, "repaired: {}\n", line);
    for (const std::string& line : bench.model.warnings)
      fmt::print(stderr, "warning: {}\n", line);
    if (options.zones.empty() && !bench.zones.path.empty())
      fmt::print(stderr, "zones: {} joint{} from {}\n", bench.zones.table.size(),
                 bench.zones.table.size() == 1 ? "" : "s", bench.zones.path);
  }
  return bench;
}

std::string textOf(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw usageError("standard output cannot be written");
}

} // namespace sinew
