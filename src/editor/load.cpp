#include "editor/load.h"

#include "animation/layers/layer_stack_json.h"
#include "animation/retarget/motion.h"
#include "app/clip_bounds.h"
#include "app/drivers_sidecar.h"
#include "app/load_model.h"
#include "app/sidecar.h"
#include "app/splines_sidecar.h"
#include "app/subdivision.h"
#include "app/weights_sidecar.h"
#include "core/error.h"
#include "core/file.h"

#include <fmt/format.h>

#include <limits>

namespace sinew {
namespace {

Zones zonesOf(Model& model, const std::string& name, const Sidecars& sidecars) {
  try {
    return readZones(model, name, sidecars.zones, sidecars.zone);
  } catch (const Error& problem) {
    if (!sidecars.zones.empty() || !sidecars.zone.empty()) throw;
    model.warnings.push_back(fmt::format("bend ranges are fitted again: {}", problem.what()));
    return {};
  }
}

void putWeights(Model& model, const std::string& name, const std::string& file) {
  try {
    readWeights(model, name, file);
  } catch (const Error& problem) {
    if (!file.empty()) throw;
    model.warnings.push_back(fmt::format("weights file ignored: {}", problem.what()));
  }
}

LaidSplines laySplines(Model& model, const std::string& name, const std::string& file) {
  try {
    return readSplines(model, name, file);
  } catch (const Error& problem) {
    if (!file.empty()) throw;
    model.warnings.push_back(fmt::format("the model has its own splines: {}", problem.what()));
    return {};
  }
}

ModelDrivers putDrivers(Model& model, const std::string& name, const std::string& file) {
  try {
    return readDrivers(model, name, file);
  } catch (const Error& problem) {
    if (!file.empty()) throw;
    model.warnings.push_back(fmt::format("there are no pose drivers: {}", problem.what()));
    return {};
  }
}

// Where the pose bends it in which it will be shown first.
void subdivideWhereBent(Workbench& bench, const Settings& settings, const Sidecars& sidecars) {
  Workbench posed = bench;
  if (!sidecars.pose.empty())
    holdPose(posed,
             poseFromJson(posed.model, readAbout(posed.model, sidecars.pose), sidecars.pose));
  if (!sidecars.morphs.empty()) {
    holdMorphs(posed, sidecars.morphs);
    evaluate(posed, static_cast<double>(settings.time), wrapOf(settings));
  }
  bench = makeWorkbench(subdivideBent(posed, sidecars.subdivide.bent), settings, bench.zones,
                        bench.layerStack, bench.drivers);
}

} // namespace

Sidecars sidecarsOf(const ModelRequest& request) {
  return {.zones = request.zones,
          .zone = request.zone,
          .subdivide = request.subdivide,
          .pose = request.pose,
          .morphs = request.morphs,
          .weights = request.weights,
          .splines = request.splines,
          .drivers = request.drivers,
          .layers = request.layers,
          .textureFolders = request.textureFolders};
}

Importer::Load loadForSession(std::string model, std::string motion, MotionMap map, UpAxis up,
                              Sidecars sidecars, Settings settings) {
  return [model = std::move(model), motion = std::move(motion), map = std::move(map), up,
          sidecars = std::move(sidecars),
          settings = std::move(settings)](const ImportProgress& progress) {
    Imported imported;
    LoadOptions options;
    options.motion = motion;
    options.motionMap = map;
    options.up = up;
    options.textureFolders = sidecars.textureFolders;
    options.seconds = std::numeric_limits<double>::infinity(); // the user cancels
    options.progress = progress;
    MotionReport report;
    options.report = &report;
    Model read = loadModel(model, options);
    putWeights(read, model, sidecars.weights);
    LaidSplines laid = laySplines(read, model, sidecars.splines);
    ModelDrivers drivers = putDrivers(read, model, sidecars.drivers);
    if (!sidecars.subdivide.joints.empty()) {
      read = subdivideByWords(std::move(read), sidecars.subdivide.joints);
      laid = LaidSplines{nullptr, nullptr, laid.path}; // they are the subdivided model's own
    }
    Zones found = zonesOf(read, model, sidecars);
    LayerStack layers;
    if (!sidecars.layers.empty())
      layers = layerStackFromJson(read, readAbout(read, sidecars.layers), sidecars.layers);
    imported.bench = makeWorkbench(std::move(read), settings, std::move(found), std::move(layers),
                                   std::move(drivers));
    if (sidecars.subdivide.bent > 0.0f) {
      subdivideWhereBent(imported.bench, settings, sidecars);
      laid = LaidSplines{nullptr, nullptr, laid.path};
    }
    imported.bench.splines = std::move(laid);
    if (!motion.empty()) imported.bench.motion = std::make_shared<MotionReport>(std::move(report));
    if (!settings.weightsOf.empty()) findJoint(imported.bench.model, settings.weightsOf);
    imported.bounds = boundsOverClip(imported.bench, wrapOf(settings));
    return imported;
  };
}

MessageParts partsOf(const std::string& message) {
  MessageParts parts;
  std::size_t start = 0;
  // A path may hold a colon; the separator has a blank after it.
  if (const std::size_t colon = message.find(": "); colon != std::string::npos) {
    parts.file = message.substr(0, colon);
    start = colon + 2;
  }
  const std::size_t semicolon = message.find("; ", start);
  parts.what =
      message.substr(start, semicolon == std::string::npos ? semicolon : semicolon - start);
  if (semicolon != std::string::npos) parts.remedy = message.substr(semicolon + 2);
  return parts;
}

} // namespace sinew
