#include "commands/model_options.h"

#include "app/open_sources.h"
#include "commands/command.h"
#include "commands/standard_input.h"
#include "core/error.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

namespace sinew {

void addSidecar(Command& command, const Sidecar& kind, std::string& word) {
  command
      .add(kind.option, &word,
           fmt::format("{} saved as JSON [MODEL{} where it is there], or none", kind.holds,
                       kind.ending))
      .value("FILE.json|none")
      .as(ValueKind::file);
}

void addMorphOption(Command& command, std::vector<std::string>& morphs) {
  command
      .add("--morph", &morphs,
           "hold the weight of a morph target or an expression, over clip and layers; several "
           "separated by commas")
      .value("NAME=WEIGHT")
      .separatedByCommas();
}

void addLayersOption(Command& command, std::string& layers) {
  command
      .add("--layers", &layers,
           "animation layers over the clip, as JSON (docs/layers.md); own: the springs of a VRM "
           "file, which is the default of view and render")
      .value("FILE.json|own|none")
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
      .allow({"auto", "y", "z"});
}

void addTexturePath(Command& command, std::vector<std::string>& folders) {
  command
      .add("--texture-path", &folders,
           "a further folder of textures, besides the model's own; may be repeated")
      .value("FOLDER")
      .count(1)
      .as(ValueKind::folder);
}

void checkSources(const ModelSources& sources) {
  checkTexturePath(sources.textureFolders);
  checkSidecars(sources);
  if (!sources.pose.empty() && !sources.layers.empty() && sources.layers != kNoLayers)
    throw usageError("--pose holds one pose and --layers moves it", "leave one of them out");
}

void checkTexturePath(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (std::error_code error; !std::filesystem::is_directory(folder, error))
      throw usageError(fmt::format("--texture-path {}: no such folder", folder));
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

void addMotionMap(Command& command, std::string& file) {
  command
      .add("--motion-map", &file,
           "JSON of which joint of the motion moves which of the model, and of rotations added")
      .as(ValueKind::file);
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
  addSources(command, options, options.motionMapFile);
  command.add("--time-limit", &options.timeLimit, "seconds the file may take to read; exit code 4")
      .range(0.01, 86400.0)
      .showDefault();
  command.add("--json", &options.json, "one JSON document on stdout, messages on stderr");
  command.add("--quiet,-q", &options.quiet, "no messages but errors");
}

} // namespace sinew
