#include "commands/cli.h"

#include "animation/layers/layer_stack_json.h"
#include "animation/retarget/motion.h"
#include "app/bind_options.h"
#include "app/drivers_sidecar.h"
#include "app/load_model.h"
#include "app/splines_sidecar.h"
#include "app/weights_sidecar.h"
#include "commands/standard_input.h"
#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

namespace sinew {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(part);
  return parts;
}

constexpr float kLargestWord = 1e9f;

// Numbers separated by commas; throws usageError unless there are `count` of them.
std::vector<float> numbers(const std::string& option, const std::string& text, std::size_t count) {
  std::vector<float> values;
  for (const std::string& part : split(text, ',')) {
    char* end = nullptr;
    values.push_back(std::strtof(part.c_str(), &end));
    if (part.empty() || *end != '\0' || !std::isfinite(values.back()))
      throw usageError(fmt::format("{}: '{}' is not a number", option, part));
    if (std::abs(values.back()) > kLargestWord)
      throw usageError(fmt::format("{}: {} is too large", option, part));
  }
  if (values.size() != count)
    throw usageError(fmt::format("{} takes {} numbers separated by commas", option, count));
  return values;
}

std::string optionName(const OptionInfo& info) {
  return "--" + std::string(info.name);
}

Option& addSetting(Command& command, const OptionInfo& info, std::string& field) {
  return command.add(optionName(info), &field, std::string(info.help))
      .suggest(info.choices)
      .showDefault(!field.empty());
}

// Parsed as it is read, so that an error names the word.
template <TextSetting T>
Option& addSetting(Command& command, const OptionInfo& info, T& field) {
  const auto read = [&field](const std::string& text) { readSetting(text, field); };
  Option& option =
      command.add(optionName(info), read, std::string(info.help)).suggest(info.choices);
  option.heldText = settingText(field);
  option.showDefault(!option.heldText.empty());
  return option;
}

Option& addSetting(Command& command, const OptionInfo& info, LightPicture& field) {
  const auto read = [&field](const std::string& text) { readSetting(text, field); };
  return command.add(optionName(info), read, std::string(info.help))
      .value("FILE|none")
      .as(ValueKind::file);
}

template <class T>
Option& addNumber(Command& command, const OptionInfo& info, T& field) {
  Option& option = command.add(optionName(info), &field, std::string(info.help)).showDefault();
  if (info.minimum < info.maximum) option.value(fmt::format("{}..{}", info.minimum, info.maximum));
  return option;
}

Option& addSetting(Command& command, const OptionInfo& info, int& field) {
  if (info.maximumWord.empty()) return addNumber(command, info, field);
  const auto read = [&field, info](const std::string& text) {
    const char* end = text.data() + text.size();
    if (text == info.maximumWord)
      field = static_cast<int>(info.maximum);
    else if (const auto [rest, error] = std::from_chars(text.data(), end, field);
             error != std::errc() || rest != end)
      throw usageError(fmt::format("--{} {}: a whole number or '{}' is expected", info.name, text,
                                   info.maximumWord),
                       fmt::format("choose from {} to {}", info.minimum, info.maximum));
  };
  Option& option =
      command.add(optionName(info), read, std::string(info.help))
          .value(fmt::format("{}..{}|{}", info.minimum, info.maximum, info.maximumWord));
  option.heldText = std::to_string(field);
  return option.showDefault();
}

Option& addSetting(Command& command, const OptionInfo& info, float& field) {
  return addNumber(command, info, field);
}

Option& addSetting(Command& command, const OptionInfo& info, bool& field) {
  const std::string name(info.name);
  return command.add("--" + name + ",!--no-" + name, &field, std::string(info.help));
}

Option& addSetting(Command& command, const OptionInfo& info, vec3& field) {
  const std::string name = optionName(info);
  const auto read = [&field, name](const std::string& text) {
    const auto v = numbers(name, text, 3);
    field = {v[0], v[1], v[2]};
  };
  return command.add(name, read, std::string(info.help)).value("R,G,B");
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

// A file beside the model, another one, or none.
void addSidecar(Command& command, const std::string& option, std::string& file, std::string help) {
  command.add(option, &file, std::move(help)).value("FILE.json|none").as(ValueKind::file);
}

} // namespace

void addWeightsFile(Command& command, std::string& weights) {
  addSidecar(command, "--weights", weights,
             "weights saved as JSON [MODEL.weights.json where it is there], or none: the model's "
             "own");
}

void addSplinesFile(Command& command, std::string& splines) {
  addSidecar(command, "--splines", splines,
             "free splines saved as JSON [MODEL.splines.json where it is there], or none: the "
             "model's own");
}

void addDriversFile(Command& command, std::string& drivers) {
  addSidecar(command, "--drivers", drivers,
             "pose drivers and corrective shapes saved as JSON [MODEL.drivers.json where it is "
             "there], or none");
}

void addMorphOption(Command& command, std::vector<std::string>& morphs) {
  command
      .add("--morph", &morphs,
           "hold the weight of a morph target, over clip and layers; several separated by commas")
      .value("NAME=WEIGHT")
      .separatedByCommas();
}

void addLayersOption(Command& command, ModelOptions& options) {
  command.add("--layers", &options.layers, "layers over the clip, saved as JSON (docs/layers.md)")
      .as(ValueKind::file);
}

void addUpOption(Command& command, UpAxis& up) {
  const auto read = [&up](const std::string& word) {
    up = word == "y" ? UpAxis::y : word == "z" ? UpAxis::z : UpAxis::automatic;
  };
  command
      .add("--up", read,
           "which axis of the file points up [auto: what the file says, or else its skeleton]")
      .value("AXIS")
      .oneOf({"auto", "y", "z"});
}

void addTexturePath(Command& command, std::vector<std::string>& folders) {
  command
      .add("--texture-path", &folders,
           "a folder where textures may be, beside the model's own; may be repeated")
      .value("FOLDER")
      .count(1)
      .as(ValueKind::folder);
}

void checkTexturePath(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (std::error_code error; !std::filesystem::is_directory(folder, error))
      throw usageError(fmt::format("--texture-path {}: no such folder", folder));
}

void addZoneOptions(Command& command, std::string& file, std::vector<std::string>& joints) {
  command
      .add("--zones", &file, "zones of joints saved as JSON [MODEL.zones.json where it is there]")
      .as(ValueKind::file);
  command
      .add("--zone", &joints,
           "of a joint, over that of the file: min, max, source, curve, method; several separated "
           "by "
           "commas")
      .value("JOINT:KEY=VALUE:...")
      .separatedByCommas();
}

void addSubdivideOptions(Command& command, SubdivideOptions& subdivide) {
  command
      .add("--subdivide", &subdivide.joints,
           "split the triangles at a joint into three or four; several separated by commas")
      .value("JOINT=1:3|1:4")
      .separatedByCommas();
  command
      .add("--subdivide-bent", &subdivide.bent,
           "split 1:4 where the pose bends the skin by more than so many degrees at an edge")
      .value("DEGREES")
      .range(0.1, 180.0);
}

void addMotionMap(Command& command, std::string& file) {
  command
      .add("--motion-map", &file,
           "JSON of which joint of the motion moves which of the model, and of rotations added")
      .as(ValueKind::file);
}

MotionMap motionMapOf(const std::string& file, const std::string& motion) {
  if (file.empty()) return {};
  if (motion.empty()) throw usageError("--motion-map needs --motion");
  return readMotionMap(file);
}

void addModelOptions(Command& command, ModelOptions& options) {
  const auto read = [&options](const std::string& text) {
    options.model = text;
    if (text != "-") return;
    options.input = std::make_shared<const StandardInput>();
    options.model = options.input->path().string();
  };
  command
      .add("MODEL", read,
           "a model file, demo:NAME ('sinew info --list'), or - for standard input, whose format "
           "is known by its content")
      .as(ValueKind::model)
      .required();
  command
      .add("--motion", &options.motion,
           "put the animation of this file on the model, by joint name")
      .as(ValueKind::model);
  addMotionMap(command, options.motionMap);
  command.add("--pose", &options.pose, "hold a pose saved as JSON").as(ValueKind::file);
  addMorphOption(command, options.morphs);
  addLayersOption(command, options);
  addZoneOptions(command, options.zones, options.zone);
  addWeightsFile(command, options.weights);
  addSubdivideOptions(command, options.subdivide);
  addSplinesFile(command, options.splines);
  addDriversFile(command, options.drivers);
  command
      .add("--importer", &options.importer,
           "read glTF, FBX, .x and IQM by their own rules (auto), or as Assimp does (assimp), for "
           "comparison")
      .oneOf({"auto", "assimp"})
      .showDefault();
  addUpOption(command, options.up);
  addTexturePath(command, options.textureFolders);
  command.add("--time-limit", &options.timeLimit, "seconds the file may take to read; exit code 4")
      .range(0.01, 86400.0)
      .showDefault();
  command.add("--json", &options.json, "one JSON document on stdout, messages on stderr");
  command.add("--quiet,-q", &options.quiet, "no messages but errors");
}

void addSettings(Command& command, Settings& settings, std::vector<std::string> groups) {
  visitSettings(settings, [&](const OptionInfo& info, auto& field) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), info.group) == groups.end())
      return;
    // The joint whose weights are shown is --show weights:JOINT; --weights is a file of weights.
    if (info.name == "weights") return;
    addSetting(command, info, field).in(std::string(info.group));
  });
}

void addShow(Command& command, Settings& settings) {
  const auto read = [&settings](const std::string& words) {
    for (const std::string& word : split(words, ','))
      showWord(settings, word);
  };
  command
      .add("--show", read,
           "what to show besides the mesh: skeleton, wireframe, normals, bone-colors, "
           "weights:JOINT, "
           "no-grid, no-textures, separated by commas")
      .value("LIST")
      .in("Show");
}

void addCamera(Command& command, Settings& settings) {
  const auto read = [&settings](const std::string& text) {
    const auto v = numbers("--camera", text, 3);
    settings.yaw = v[0];
    settings.pitch = v[1];
    settings.distance = v[2];
  };
  command.add("--camera", read, "the three below at once; angles in degrees")
      .value("YAW,PITCH,DISTANCE")
      .in("Camera");
}

void addSize(Command& command, Size& size, const SizeRange& range, const std::string& help) {
  const auto read = [&size, range](const std::string& text) {
    const char* end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    const bool separated = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
    const auto height = std::from_chars(separated ? width.ptr + 1 : end, end, size.height);
    if (!separated || height.ec != std::errc() || height.ptr != end ||
        size.width < range.min.width || size.height < range.min.height ||
        size.width > range.max.width || size.height > range.max.height)
      throw usageError(fmt::format("--size '{}': expected WIDTHxHEIGHT from {}x{} to {}x{}", text,
                                   range.min.width, range.min.height, range.max.width,
                                   range.max.height));
  };
  command.add("--size", read, help).value("WxH");
}

void addSize(Command& command, Size& size) {
  addSize(command, size, {}, fmt::format("picture size [{}x{}]", size.width, size.height));
}

Workbench openWorkbench(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkSettings(settings);
  checkTexturePath(options.textureFolders);
  checkWeightsFile(options.weights);
  checkSplinesFile(options.splines);
  checkDriversFile(options.drivers);
  if (methods == Methods::one) onlyMethod(settings);
  if (methods != Methods::ownList) checkParametersUsed(settings, settings.methods);
  LoadOptions load;
  load.motion = options.motion;
  load.motionMap = motionMapOf(options.motionMap, options.motion);
  load.seconds = options.timeLimit;
  if (options.importer == "assimp") load.reader = ImportReader::assimp;
  load.up = options.up;
  load.textureFolders = options.textureFolders;
  load.textures = options.textures;
  if (options.whileReading)
    load.progress = [&](float, std::string_view) {
      options.whileReading();
      return true;
    };
  MotionReport report;
  load.report = &report;
  Model model = loadModel(options.model, load);
  readWeights(model, options.model, options.weights);
  LaidSplines splines = readSplines(model, options.model, options.splines);
  const ModelDrivers drivers = readDrivers(model, options.model, options.drivers);
  if (!options.subdivide.joints.empty()) {
    model = subdivideByWords(std::move(model), options.subdivide.joints);
    splines = LaidSplines{nullptr, nullptr, splines.path}; // they are the subdivided model's own
  }
  const Zones zones = readZones(model, options.model, options.zones, options.zone);
  if (!options.pose.empty() && !options.layers.empty())
    throw usageError("--pose holds one pose and --layers moves it", "leave one of them out");
  LayerStack layerStack;
  if (!options.layers.empty())
    layerStack = layerStackFromJson(model, readFile(options.layers), options.layers);
  const auto makeBench = [&](Model shown) {
    Workbench bench = makeWorkbench(std::move(shown), settings, zones, layerStack, drivers);
    if (!options.pose.empty())
      holdPose(bench, poseFromJson(bench.model, readFile(options.pose), options.pose));
    if (!options.morphs.empty()) {
      holdMorphs(bench, options.morphs);
      evaluate(bench, static_cast<double>(settings.time), wrapOf(settings));
    }
    return bench;
  };
  Workbench bench = makeBench(std::move(model));
  if (options.subdivide.bent > 0.0f) {
    bench = makeBench(subdivideBent(bench, options.subdivide.bent));
    splines = LaidSplines{nullptr, nullptr, splines.path};
  }
  bench.splines = std::move(splines);
  if (!options.motion.empty()) bench.motion = std::make_shared<MotionReport>(std::move(report));
  if (!options.quiet) {
    for (const std::string& line : bench.model.repairs)
      fmt::print(stderr, "repaired: {}\n", line);
    for (const std::string& line : bench.model.warnings)
      fmt::print(stderr, "warning: {}\n", line);
    if (methods != Methods::ownList && !bench.splines.path.empty()) {
      std::vector<const Method*> chosen;
      for (const BoundMethod& bound : bench.bound)
        chosen.push_back(bound.method);
      if (const std::string line = splinesIgnored(bench.model, chosen); !line.empty())
        fmt::print(stderr, "note: {}\n", line);
    }
    if (options.zones.empty() && !bench.zones.path.empty())
      fmt::print(stderr, "zones: {} joint{} from {}\n", bench.zones.table.size(),
                 bench.zones.table.size() == 1 ? "" : "s", bench.zones.path);
    if (const std::size_t count = insertedVertexCount(bench.model); count > 0)
      fmt::print(stderr, "subdivided: {} vertices, {} of them new\n", vertexCount(bench.model),
                 count);
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
