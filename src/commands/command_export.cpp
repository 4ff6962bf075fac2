#include "animation/drivers/bake_drivers.h"
#include "animation/mirror.h"
#include "app/add_motions.h"
#include "app/layers_clip.h"
#include "app/mesh_file.h"
#include "commands/command.h"
#include "commands/commands.h"
#include "commands/model_options.h"
#include "commands/open_workbench.h"
#include "commands/output.h"
#include "commands/setting_options.h"
#include "core/error.h"
#include "core/file.h"
#include "cpu_skin/cpu_skin.h"
#include "export/glb.h"
#include "gl/context.h"
#include "picture/picture.h"
#include "render/capture_skinned.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  ModelOptions model;
  Settings settings;
  std::string output;
  bool mirror = false;
  std::vector<std::string> motions; // whose clips follow
};

SkinnedMesh skinOnGpu(const Workbench& bench, const Settings& settings) {
  const HeadlessContext context;
  Picture picture;
  uploadModel(picture, bench, settings);
  return captureSkinned(picture.renderer.programs(), picture.meshes.front());
}

// By vector instructions where the method has kernels.
SkinnedMesh skinByVectors(const Workbench& bench) {
  const BoundMethod& bound = bench.bound.front();
  CpuSkin skin(*bound.method, BindVertices(bench.rig, shownVertices(bench, bound)),
               shownBinding(bound));
  Workers workers;
  SkinnedMesh posed;
  skin.skin(bound.palette, workers, posed);
  return posed;
}

// Left to right; reports joints without a counterpart on the other side.
void mirrorPose(Workbench& bench, bool quiet) {
  const MirrorMap map = mirrorMap(bench.model);
  holdPose(bench, mirrored(bench.model, map, bench.pose));
  if (quiet || map.without.empty()) return;
  std::vector<std::string> names;
  for (const std::uint32_t node : map.without)
    names.push_back(bench.model.hierarchy.nodes[node].name);
  fmt::print(stderr, "mirror: no other side: {}\n", fmt::join(names, ", "));
}

ExitCode exportRiggedModel(const ExportOptions& options, Workbench& bench) {
  bakeDrivers(bench.model, bench.preparedDrivers);
  // What clip and layers do, as a clip before the model's own.
  if (!bench.layerStack.layers.empty())
    bench.model.clips.insert(bench.model.clips.begin(),
                             layersClip(bench, "layers", wrapOf(options.settings)));
  LoadOptions load;
  load.seconds = options.model.timeLimit;
  addMotions(bench.model, options.motions, load);
  const std::vector<std::string> leftOut = leftOutOfGlb(bench.model);
  if (!options.model.quiet)
    for (const std::string& line : leftOut)
      fmt::print(stderr, "left out: {}\n", line);
  writeFile(options.output, glbOf(bench.model));
  if (options.model.json)
    print(textOf({{"file", options.output},
                  {"vertices", vertexCount(bench.model)},
                  {"triangles", triangleCount(bench.model)},
                  {"joints", jointNodes(bench.model).size()},
                  {"clips", bench.model.clips.size()},
                  {"left_out", leftOut}}));
  return ExitCode::done;
}

ExitCode exportMesh(const ExportOptions& options) {
  const std::string extension = extensionOf(options.output);
  if (extension != ".ply" && extension != ".obj" && extension != ".json" && extension != ".glb")
    throw usageError(
        fmt::format("{}: unknown kind of file '{}'", options.output, extension),
        "end the name in .ply or .obj, .glb for the rigged model, or .json for the pose");
  if (!options.motions.empty() && extension != ".glb")
    throw usageError(fmt::format("{}: only a .glb has clips for --add-motion", options.output));
  Workbench bench = openWorkbench(options.model, options.settings);
  if (options.mirror) mirrorPose(bench, options.model.quiet);
  if (extension == ".json") {
    writeFile(options.output, poseToJson(bench.model, bench.pose));
    if (options.model.json)
      print(textOf({{"file", options.output}, {"nodes", bench.model.hierarchy.nodes.size()}}));
    return ExitCode::done;
  }
  if (extension == ".glb") return exportRiggedModel(options, bench);
  if (bench.rig.triangles.empty())
    throw inputError(options.model.model, "has no mesh to export",
                     "it can serve as --motion of a model that has one");
  const SkinOn asked = options.settings.skinOn;
  const SkinOn skinOn = asked == SkinOn::automatic ? SkinOn::cpu : asked;
  const SkinnedMesh posed =
      skinOn == SkinOn::cpu ? skinByVectors(bench) : skinOnGpu(bench, options.settings);
  writeFile(options.output,
            extension == ".ply" ? plyOf(bench.rig, posed) : objOf(bench.model, bench.rig, posed));
  if (options.model.json)
    print(textOf({{"file", options.output},
                  {"skin_on", nameOf(skinOn)},
                  {"method", bench.bound.front().method->name},
                  {"vertices", posed.positions.size()},
                  {"triangles", bench.rig.triangles.size()}}));
  return ExitCode::done;
}

} // namespace

Command exportCommand() {
  auto options = std::make_shared<ExportOptions>();
  Command command{"export", "Write the posed, skinned mesh, the rigged model, or the pose"};
  addModelOptions(command, options->model);
  command
      .add("-o,--output", &options->output,
           "the file to write: .ply or .obj, the posed mesh; .glb, the rigged model with "
           "its clips and, of "
           "--layers, a clip; "
           ".json, a pose that --pose reads")
      .as(ValueKind::file)
      .required();
  command
      .add("--add-motion", &options->motions,
           "put the clips of this file behind the others, by joint name; again for more files")
      .as(ValueKind::model);
  command.add("--mirror", &options->mirror, "the pose mirrored, left to right");
  addSettings(command, options->settings, {"Skinning", "Animation"});
  options->settings.skinOn = SkinOn::cpu;
  command.notes =
      "--skin-on is cpu unless stated; auto is the same; vertex-shader and compute write what the "
      "shader has computed.\n"
      "Positions are in model space and the file's unit, in the order and number `info` prints.";
  command.examples = {"sinew export model.glb --clip run --time 0.2 -o a.ply",
                      "sinew export model.fbx --skin-on vertex-shader --method dqs -o a.obj",
                      "sinew export model.fbx --clip 0 --time 1 -o pose.json",
                      "sinew export model.fbx --motion walk.bvh -o model.glb",
                      "sinew export model.fbx --add-motion walk.fbx -o both.glb"};
  command.run = [options](const Command&) { return exportMesh(*options); };
  return command;
}

} // namespace sinew
