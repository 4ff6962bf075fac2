#include "commands/open_workbench.h"

#include "animation/layers/layer_stack_json.h"
#include "animation/retarget/motion.h"
#include "app/bind_options.h"
#include "app/drivers_sidecar.h"
#include "app/load_model.h"
#include "app/sidecar.h"
#include "app/splines_sidecar.h"
#include "app/weights_sidecar.h"
#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
namespace {

// Whether the options hold together, before a file is read.
void checkOptions(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkSettings(settings);
  checkTexturePath(options.textureFolders);
  checkWeightsFile(options.weights);
  checkSplinesFile(options.splines);
  checkDriversFile(options.drivers);
  if (methods == Methods::one) onlyMethod(settings);
  if (methods != Methods::ownList) checkParametersUsed(settings, settings.methods);
  if (!options.pose.empty() && !options.layers.empty())
    throw usageError("--pose holds one pose and --layers moves it", "leave one of them out");
}

LoadOptions loadOptionsOf(const ModelOptions& options, MotionReport& report) {
  LoadOptions load;
  load.motion = options.motion;
  load.motionMap = motionMapOf(options.motionMap, options.motion);
  load.report = &report;
  load.seconds = options.timeLimit;
  if (options.importer == "assimp") load.reader = ImportReader::assimp;
  load.up = options.up;
  load.textureFolders = options.textureFolders;
  load.textures = options.textures;
  if (options.whileReading)
    load.progress = [&options](float, std::string_view) {
      options.whileReading();
      return true;
    };
  return load;
}

// What the files beside the model, or those named, say of it.
struct Sidecars {
  Zones zones;
  LayerStack layers;
  ModelDrivers drivers;
};

// After `drivers`, which add the corrective shapes to the model.
Sidecars readSidecars(const Model& model, const ModelOptions& options, ModelDrivers drivers) {
  Sidecars sidecars{
      readZones(model, options.model, options.zones, options.zone), {}, std::move(drivers)};
  if (!options.layers.empty())
    sidecars.layers = layerStackFromJson(model, readAbout(model, options.layers), options.layers);
  return sidecars;
}

Workbench benchOf(Model model, const ModelOptions& options, const Settings& settings,
                  const Sidecars& sidecars) {
  Workbench bench =
      makeWorkbench(std::move(model), settings, sidecars.zones, sidecars.layers, sidecars.drivers);
  if (!options.pose.empty())
    holdPose(bench, poseFromJson(bench.model, readAbout(bench.model, options.pose), options.pose));
  if (!options.morphs.empty()) {
    holdMorphs(bench, options.morphs);
    evaluate(bench, static_cast<double>(settings.time), wrapOf(settings));
  }
  return bench;
}

void printNotes(const Workbench& bench, const ModelOptions& options, Methods methods) {
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

} // namespace

Workbench openWorkbench(const ModelOptions& options, const Settings& settings, Methods methods) {
  checkOptions(options, settings, methods);
  MotionReport motion;
  Model model = loadModel(options.model, loadOptionsOf(options, motion));
  readWeights(model, options.model, options.weights);
  LaidSplines splines = readSplines(model, options.model, options.splines);
  ModelDrivers drivers = readDrivers(model, options.model, options.drivers);
  const auto split = [&](Model subdivided) { // free splines are the subdivided model's own then
    splines = LaidSplines{nullptr, nullptr, splines.path};
    return subdivided;
  };
  if (!options.subdivide.joints.empty())
    model = split(subdivideByWords(std::move(model), options.subdivide.joints));
  const Sidecars sidecars = readSidecars(model, options, std::move(drivers));
  Workbench bench = benchOf(std::move(model), options, settings, sidecars);
  if (options.subdivide.bent > 0.0f)
    bench =
        benchOf(split(subdivideBent(bench, options.subdivide.bent)), options, settings, sidecars);
  bench.splines = std::move(splines);
  if (!options.motion.empty()) bench.motion = std::make_shared<MotionReport>(std::move(motion));
  if (!options.quiet) printNotes(bench, options, methods);
  return bench;
}

} // namespace sinew
