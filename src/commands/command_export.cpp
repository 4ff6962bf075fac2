#include "animation/drivers/driver_edit.h"
#include "animation/mirror.h"
#include "app/load_model.h"
#include "app/method_parameters.h"
#include "app/snapshot.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/export_options.h"
#include "commands/model_options.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"
#include "cpu_skin/cpu_skin.h"
#include "export/glb.h"
#include "export/skinning_data.h"
#include "gl/context.h"
#include "picture/scene_renderer.h"
#include "render/capture_skinned.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  ModelOptions model;
  Settings settings;
  std::string output;
  bool mirror = false;
  std::vector<std::string> motions; // files whose clips follow
  bool withMethod = false;          // with the method's data, in a rigged model
  ExportChoices choices;
  double fps = 30.0; // rate of posed vertices of a whole clip
};

SkinnedMesh skinOnGpu(const Workbench& workbench, const Settings& settings) {
  const HeadlessContext context;
  SceneRenderer scene;
  uploadModel(scene, workbench, settings);
  return captureSkinned(scene.renderer.programs(), scene.meshes.front());
}

// Uses vector instructions where the method has kernels.
SkinnedMesh skinByVectors(const Workbench& workbench) {
  const BoundMethod& bound = workbench.bound.front();
  CpuSkin skin(*bound.method, BindVertices(workbench.rig, shownVertices(workbench, bound)),
               shownBinding(bound));
  Workers workers;
  SkinnedMesh posed;
  skin.skin(bound.palette, workers, posed);
  return posed;
}

// Left to right; reports joints without a counterpart on the other side.
void mirrorPose(Workbench& workbench, bool quiet) {
  const MirrorMap map = mirrorMap(workbench.model);
  holdPose(workbench, mirrored(workbench.model, map, workbench.pose));
  if (quiet || map.without.empty()) return;
  std::vector<std::string> names;
  for (const std::uint32_t node : map.without)
    names.push_back(workbench.model.hierarchy.nodes[node].name);
  fmt::print(stderr, "mirror: no other side: {}\n", fmt::join(names, ", "));
}

// Every zone of the method, also those that it has fitted: somebody else's vertices may give
// others.
ZoneTable shownZones(const Workbench& workbench, const BoundMethod& bound) {
  ZoneTable out = workbench.zones.table;
  const std::vector<Zone> zones = bound.options.zones.empty()
                                      ? zonesFromWeights(workbench.rig, boneAxes(workbench.rig))
                                      : bound.options.zones;
  std::map<std::uint32_t, Zone> first; // by node: skins may share joints
  std::set<std::uint32_t> several;
  for (std::size_t j = 0; j < zones.size(); ++j)
    if (const auto [at, isNew] = first.try_emplace(workbench.rig.joints[j].node, zones[j]);
        !isNew && !(at->second == zones[j]))
      several.insert(at->first);
  for (const auto& [node, zone] : first) {
    if (several.contains(node)) continue;
    JointZone& stated = out[workbench.model.hierarchy.nodes[node].name];
    if (zone.min < 0.0f) stated.min = zone.min;
    if (zone.max > 0.0f) stated.max = zone.max;
  }
  return out;
}

// What gives the same binding again: packages/web reads these keys.
GltfJson statedSkinning(const Workbench& workbench, const BoundMethod& bound) {
  GltfJson out = {{"method", bound.method->name},
                  {"parameters", GltfJson::object()},
                  {"influences", bound.options.influences}};
  for (std::size_t i = 0; i < bound.method->parameters.size(); ++i) {
    const Parameter& parameter = bound.method->parameters[i];
    const float value = bound.binding.parameters[i];
    if (parameter.choices.empty())
      out["parameters"][parameter.name] = shortNumber(value);
    else
      out["parameters"][parameter.name] = parameterWord(parameter, value);
  }
  if (bound.method->usesZones)
    out["zones"] = GltfJson::parse(zonesToJson(shownZones(workbench, bound)))["joints"];
  return out;
}

void scaleZones(ZoneTable& table, float factor) {
  for (auto& [name, zone] : table) {
    if (zone.min) *zone.min *= factor;
    if (zone.max) *zone.max *= factor;
    if (!zone.twist) continue;
    zone.twist->min *= factor;
    zone.twist->max *= factor;
  }
}

// The workbench of the model as the file has it, so that the method's data are in its unit.
Workbench inMetres(Workbench workbench, const Settings& settings) {
  const float factor = workbench.model.metersPerUnit.value_or(1.0f);
  if (factor == 1.0f) return workbench;
  scaleZones(workbench.zones.table, factor);
  Settings bind = settings;
  bind.clip = "bind";
  return makeWorkbench(inMetres(std::move(workbench.model)), bind, std::move(workbench.zones));
}

ExitCode exportRiggedModel(const ExportOptions& options, const ExportFormat& format,
                           Workbench& workbench) {
  bakeDrivers(workbench.model, workbench.preparedDrivers);
  // What clip and layers do, as a clip before the model's own.
  if (!workbench.layerStack.layers.empty())
    workbench.model.clips.insert(workbench.model.clips.begin(),
                                 layersClip(workbench, "layers", getWrap(options.settings)));
  LoadOptions load;
  load.seconds = options.model.timeLimit;
  addMotions(workbench.model, options.motions, load);
  ExportChoices choices = options.choices;
  SkinningData skinning;
  if (options.withMethod) {
    workbench = inMetres(std::move(workbench), options.settings);
    const BoundMethod& bound = workbench.bound.front();
    if (std::ranges::none_of(workbench.model.meshes,
                             [](const Mesh& mesh) { return mesh.skin.has_value(); }))
      throw inputError(options.model.model, "has no skinned mesh, so a method has no data in it",
                       "leave out --method");
    skinning = {&workbench.rig, &bound.binding, statedSkinning(workbench, bound)};
    choices.skinning = &skinning;
  }
  const ExportedFile file = writeModel(format, workbench.model, {}, options.output, choices);
  if (!options.model.quiet) {
    for (const std::string& line : file.notes)
      fmt::print(stderr, "left out: {}\n", line);
    for (const std::string& line : file.warnings)
      fmt::print(stderr, "warning: {}\n", line);
  }
  if (options.model.json)
    print(toString({{"file", options.output},
                    {"vertices", vertexCount(workbench.model)},
                    {"triangles", triangleCount(workbench.model)},
                    {"joints", jointNodes(workbench.model).size()},
                    {"clips", workbench.model.clips.size()},
                    {"bytes", file.bytes.size()},
                    {"left_out", file.notes},
                    {"warnings", file.warnings}}));
  return ExitCode::done;
}

// The posed vertices of a whole clip, from its first moment to its last.
ExitCode exportFrames(const ExportOptions& options, Workbench& workbench) {
  constexpr double kLargestFile = 4096.0 * 1024.0 * 1024.0; // bytes
  const double seconds = workbench.clip ? playSeconds(workbench, Wrap::clamp) : 0.0;
  const auto steps = static_cast<std::size_t>(std::ceil(seconds * options.fps - 1e-3));
  const std::size_t frames = steps + 1;
  const std::size_t vertices = workbench.rig.positions.size();
  const double bytes = static_cast<double>(frames) * static_cast<double>(vertices) * sizeof(vec3);
  if (bytes > kLargestFile)
    throw usageError(fmt::format("the vertices would take {:.0f} MB, more than 4096", bytes * 1e-6),
                     "a lower --fps");
  std::string out = npyHeader({frames, vertices, 3});
  out.reserve(out.size() + frames * vertices * sizeof(vec3));
  for (std::size_t k = 0; k < frames; ++k) {
    const double part = steps > 0 ? static_cast<double>(k) / static_cast<double>(steps) : 0.0;
    if (workbench.clip) evaluate(workbench, seconds * part, Wrap::clamp);
    const SkinnedMesh posed = skinByVectors(workbench);
    out.append(reinterpret_cast<const char*>(posed.positions.data()), vertices * sizeof(vec3));
  }
  writeFile(options.output, out);
  if (options.model.json)
    print(toString({{"file", options.output},
                    {"method", workbench.bound.front().method->name},
                    {"frames", frames},
                    {"seconds", seconds},
                    {"vertices", vertices}}));
  return ExitCode::done;
}

ExitCode exportMesh(const ExportOptions& options) {
  const std::string extension = getExtension(options.output);
  const ExportFormat* rigged = findExportFormat(extension);
  const bool wholeClip = extension == ".npy";
  if (extension != ".ply" && extension != ".obj" && extension != ".json" && !wholeClip &&
      rigged == nullptr)
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.output, extension),
        fmt::format(
            "end the name in .ply or .obj, .npy for all frames of a clip, {} for the rigged "
            "model, or .json for the pose",
            exportExtensions()));
  if (!options.motions.empty() && rigged == nullptr)
    throw usageError(fmt::format("{}: it has no clips for --add-motion", options.output),
                     fmt::format("end the name in {}", exportExtensions()));
  if ((options.settings.drag > 0.0f || options.settings.squash > 0.0f) &&
      (rigged != nullptr || extension == ".json"))
    throw usageError("--drag and --squash move the posed mesh, which this file does not hold",
                     "end the name in .ply, .obj or .npy");
  if (wholeClip && (options.mirror || !options.model.pose.empty()))
    throw usageError(fmt::format("{}: --pose and --mirror hold one pose", options.output),
                     "end the name in .ply or .obj");
  Workbench workbench = openWorkbench(options.model, options.settings);
  if (options.mirror) mirrorPose(workbench, options.model.quiet);
  if (extension == ".json") {
    writeFile(options.output, poseToJson(workbench.model, workbench.pose));
    if (options.model.json)
      print(
          toString({{"file", options.output}, {"nodes", workbench.model.hierarchy.nodes.size()}}));
    return ExitCode::done;
  }
  if (rigged != nullptr) return exportRiggedModel(options, *rigged, workbench);
  if (workbench.rig.triangles.empty())
    throw inputError(options.model.model, "has no mesh to export",
                     "it can serve as --motion of a model that has one");
  const SkinOn asked = options.settings.skinOn;
  if (wholeClip && asked != SkinOn::cpu && asked != SkinOn::automatic)
    throw usageError(fmt::format("{}: a whole clip is skinned by the processor", options.output),
                     "leave out --skin-on, or end the name in .ply or .obj");
  if (wholeClip) return exportFrames(options, workbench);
  const SkinOn skinOn = asked == SkinOn::automatic ? SkinOn::cpu : asked;
  const SkinnedMesh posed =
      skinOn == SkinOn::cpu ? skinByVectors(workbench) : skinOnGpu(workbench, options.settings);
  writeFile(options.output, extension == ".ply" ? toPly(workbench.rig, posed)
                                                : toObj(workbench.model, workbench.rig, posed));
  if (options.model.json)
    print(toString({{"file", options.output},
                    {"skin_on", toString(skinOn)},
                    {"method", workbench.bound.front().method->name},
                    {"vertices", posed.positions.size()},
                    {"triangles", workbench.rig.triangles.size()}}));
  return ExitCode::done;
}

} // namespace

Command exportCommand() {
  auto options = std::make_shared<ExportOptions>();
  Command command{"export", "Write the posed, skinned mesh, the rigged model, or the pose"};
  addModelOptions(command, options->model);
  command
      .add("-o,--output", &options->output,
           "the file to write: .ply or .obj, the posed mesh; .npy, the posed vertices of the whole "
           "clip as an array of frames, vertices and x, y, z; .glb, .vrm or .fbx, the rigged "
           "model with its clips and, of --layers, a clip; "
           ".json, a pose that --pose reads")
      .as(ValueKind::file)
      .required();
  command
      .add("--add-motion", &options->motions,
           "put the clips of this file behind the others, by joint name; again for more files")
      .as(ValueKind::model);
  command.add("--mirror", &options->mirror, "the pose mirrored, left to right");
  command.add("--fps", &options->fps, "frames a second of an .npy file")
      .range(1.0, 1000.0)
      .showDefault();
  addExportChoices(command, options->choices);
  addSettings(command, options->settings, {"Skinning", "Animation", "Motion"});
  options->settings.skinOn = SkinOn::cpu;
  command.notes =
      "--skin-on is cpu unless stated; auto is the same; vertex-shader and compute write what the "
      "shader has computed.\n"
      "Positions are in model space and the file's unit, in the order and number `info` prints. An "
      ".fbx "
      "is in centimetres where the file states its unit.\n"
      "A .glb with --method has the method's data too, which other programs ignore: attributes "
      "_SINEW_* and extras\n"
      "of the nodes with a skin (docs/engines.md).";
  command.examples = {"sinew export model.glb --clip run --time 0.2 -o a.ply",
                      "sinew export model.fbx --skin-on vertex-shader --method dqs -o a.obj",
                      "sinew export model.fbx --clip 0 --time 1 -o pose.json",
                      "sinew export model.glb --clip run --method cor -o run.npy",
                      "sinew export model.fbx --motion walk.bvh -o model.glb",
                      "sinew export model.glb --fbx-axes z-up -o model.fbx",
                      "sinew export model.fbx --method arc-spline -o model.glb",
                      "sinew export model.fbx --add-motion walk.fbx -o both.glb"};
  command.run = [options](const Command& given) {
    options->withMethod = given.given("--method");
    return exportMesh(*options);
  };
  return command;
}

} // namespace sinew
