#include "commands/model_options.h"

#include "app/method_list.h"
#include "app/open_sources.h"
#include "app/sidecar.h"
#include "commands/command.h"
#include "core/error.h"
#include "core/file.h"
#include "import/formats.h"
#include "process/unfinished.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// As onlyMethod(), in the words of the option.
void requireOneMethod(const Settings& settings) {
  if (settings.methods.size() > 1)
    throw usageError(
        fmt::format("--method {}: one method is expected here", methodsText(settings.methods)),
        "'sinew render' and 'sinew view' show several side by side");
}

// Whether the options hold together, before a file is read.
void checkOptions(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkSettings(settings);
  checkSources(options);
  if (methods == Methods::one) requireOneMethod(settings);
  if (methods != Methods::ownList) checkParametersUsed(settings, settings.methods, kSetOption);
}

void printNotes(const Workbench& workbench, const ModelOptions& options, Methods methods) {
  for (const std::string& line : workbench.model.repairs)
    fmt::print(stderr, "repaired: {}\n", line);
  for (const std::string& line : workbench.model.warnings)
    fmt::print(stderr, "warning: {}\n", line);
  if (methods != Methods::ownList && !workbench.splines.path.empty()) {
    std::vector<const Method*> chosen;
    for (const BoundMethod& bound : workbench.bound)
      chosen.push_back(bound.method);
    if (const std::string line = splinesIgnored(workbench.model, chosen); !line.empty())
      fmt::print(stderr, "note: {}\n", line);
  }
  if (options.zones.empty() && !workbench.zones.path.empty())
    fmt::print(stderr, "zones: {} joint{} from {}\n", workbench.zones.table.size(),
               workbench.zones.table.size() == 1 ? "" : "s", workbench.zones.path);
  if (const std::size_t count = insertedVertexCount(workbench.model); count > 0)
    fmt::print(stderr, "subdivided: {} vertices, {} of them new\n", vertexCount(workbench.model),
               count);
}

constexpr std::size_t kMaxBytes = std::size_t(4) << 30;

std::string readAll() {
  std::string all;
  std::array<char, 1 << 16> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), stdin)) {
    all.append(part.data(), count);
    if (all.size() > kMaxBytes) throw Error(ErrorCause::limit, "standard input: longer than 4 GB");
  }
  return all;
}

// Writes standard input into a temporary file, named by its content. Throws inputError where it is
// empty or of no known format, Error with ErrorCause::limit beyond 4 GB.
void readStandardInput(ModelOptions& options) {
  const std::string bytes = readAll();
  if (bytes.empty()) throw inputError("-", "standard input is empty");
  const Format* format = formatOfContent(std::string_view(bytes).substr(0, 4096));
  if (format == nullptr)
    throw inputError("-", "the format of standard input is not known",
                     fmt::format("{} .dae .obj are known by their content; write others to a file",
                                 listFormats(&Format::begins)));
  const fs::path pattern = fs::temp_directory_path() / "sinew-stdin-XXXXXX";
  try {
    options.input = std::make_shared<const UnfinishedFolder>(pattern);
  } catch (const std::system_error&) {
    throw usageError(pattern.string() + ": no temporary folder can be made", "set TMPDIR");
  }
  const fs::path path = options.input->path() / fmt::format("stdin.{}", format->extension);
  writeFile(path, bytes);
  options.model = path.string();
}

void addMorphOption(Command& command, std::vector<std::string>& morphs) {
  command
      .add("--morph", &morphs,
           "hold the weight of a morph target or an expression, over clip and layers; several "
           "separated by commas")
      .value("NAME=WEIGHT")
      .separatedByCommas();
}

void addUpOption(Command& command, UpAxis& up) {
  const auto read = [&up](const std::string& word) {
    up = word == "y" ? UpAxis::y : word == "z" ? UpAxis::z : UpAxis::automatic;
  };
  command
      .add("--up", read,
           "which axis of the file points up [auto: what the file says, or else its skeleton]")
      .value("AXIS")
      .allow({"auto", "y", "z"});
}

void checkTexturePath(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (std::error_code error; !fs::is_directory(folder, error))
      throw usageError(fmt::format("--texture-path {}: no such folder", folder));
}

void addTexturePath(Command& command, std::vector<std::string>& folders) {
  command
      .add("--texture-path", &folders,
           "a further folder of textures, besides the model's own; may be repeated")
      .value("FOLDER")
      .count(1)
      .as(ValueKind::folder);
}

void addMotionMap(Command& command, std::string& file) {
  command
      .add("--motion-map", &file,
           "JSON of which joint of the motion moves which of the model, and of rotations added")
      .as(ValueKind::file);
}

} // namespace

void addSidecar(Command& command, const Sidecar& kind, std::string& word) {
  command
      .add(kind.option, &word,
           fmt::format("{} saved as JSON [MODEL{} where it is there], or none", kind.holds,
                       kind.ending))
      .value("FILE.json|none")
      .as(ValueKind::file);
}

void addLayersOption(Command& command, std::string& layers) {
  command
      .add("--layers", &layers,
           "animation layers over the clip, as JSON (docs/layers.md); own: the springs of a VRM "
           "file, which is the default of view and render")
      .value("FILE.json|own|none")
      .as(ValueKind::file);
}

void checkSources(const ModelSources& sources) {
  checkTexturePath(sources.textureFolders);
  checkSidecars(sources);
  if (!sources.pose.empty() && !sources.layers.empty() && sources.layers != kNoLayers)
    throw usageError("--pose holds one pose and --layers moves it", "leave one of them out");
}

void addZoneOptions(Command& command, std::string& file, std::vector<std::string>& joints) {
  addSidecar(command, kZonesSidecar, file);
  command
      .add("--zone", &joints,
           "of a joint, over that of the file: min, max, source, curve, method, twist; several "
           "separated "
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

MotionMap openMotionMap(const std::string& file, const std::string& motion) {
  if (file.empty()) return {};
  if (motion.empty()) throw usageError("--motion-map needs --motion");
  return readMotionMap(file);
}

void addSources(Command& command, ModelSources& sources, std::string& motionMapFile) {
  command
      .add("--motion", &sources.motion,
           "put the animation of this file on the model, by joint name")
      .as(ValueKind::model);
  addMotionMap(command, motionMapFile);
  command.add("--pose", &sources.pose, "hold a pose saved as JSON").as(ValueKind::file);
  addMorphOption(command, sources.morphs);
  addLayersOption(command, sources.layers);
  addZoneOptions(command, sources.zones, sources.zone);
  addSidecar(command, kWeightsSidecar, sources.weights);
  addSubdivideOptions(command, sources.subdivide);
  addSidecar(command, kSplinesSidecar, sources.splines);
  addSidecar(command, kDriversSidecar, sources.drivers);
  addSidecar(command, kVelocitySidecar, sources.velocity);
  addUpOption(command, sources.up);
  addTexturePath(command, sources.textureFolders);
}

void addModelOptions(Command& command, ModelOptions& options) {
  const auto read = [&options](const std::string& text) {
    options.model = text;
    if (text == "-") readStandardInput(options);
  };
  command
      .add("MODEL", read,
           "a model file, demo:NAME ('sinew info --list'), or - for standard input, whose format "
           "is known by its content")
      .as(ValueKind::model)
      .required();
  addSources(command, options, options.motionMapFile);
  command.add("--time-limit", &options.timeLimit, "seconds the file may take to read; exit code 4")
      .range(0.01, 86400.0)
      .showDefault();
  command.add("--json", &options.json, "one JSON document on stdout, messages on stderr");
  command.add("--quiet,-q", &options.quiet, "no messages but errors");
}

Workbench openWorkbench(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkOptions(options, settings, methods);
  ModelSources sources = options;
  sources.motionMap = openMotionMap(options.motionMapFile, options.motion);
  OpenOptions open{.seconds = options.timeLimit, .textures = options.textures};
  if (options.whileReading)
    open.progress = [&options](float, std::string_view) {
      options.whileReading();
      return true;
    };
  Workbench workbench = openSources(sources, settings, open);
  holdSources(workbench, sources, settings);
  if (!options.quiet) printNotes(workbench, options, methods);
  return workbench;
}

} // namespace sinew
