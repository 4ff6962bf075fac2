#include "app/open_sources.h"

#include "animation/layers/layer_stack.h"
#include "animation/retarget/motion.h"
#include "app/load_model.h"
#include "core/error.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace sinew {
namespace {

struct Parts {
  Model model;
  LaidSplines splines;
  ModelDrivers drivers;
  Zones zones;
  VelocityMap velocity;
};

struct SidecarReader {
  const Sidecar* kind;
  void (*read)(Parts& parts, const std::string& model, const std::string& word);
};

// Free splines follow the weights, and shapes of the drivers become morph targets, before the model
// is subdivided.
constexpr std::array kReaders{
    SidecarReader{&kWeightsSidecar,
                  [](Parts& parts, const std::string& model, const std::string& word) {
                    readWeights(parts.model, model, word);
                  }},
    SidecarReader{&kSplinesSidecar,
                  [](Parts& parts, const std::string& model, const std::string& word) {
                    parts.splines = readSplines(parts.model, model, word);
                  }},
    SidecarReader{&kDriversSidecar,
                  [](Parts& parts, const std::string& model, const std::string& word) {
                    parts.drivers = readDrivers(parts.model, model, word);
                  }},
    SidecarReader{&kZonesSidecar,
                  [](Parts& parts, const std::string& model, const std::string& word) {
                    parts.zones = readZones(parts.model, model, word);
                  }},
    SidecarReader{&kVelocitySidecar,
                  [](Parts& parts, const std::string& model, const std::string& word) {
                    parts.velocity = readVelocityMap(parts.model, model, word);
                  }}};

void readSidecars(Parts& parts, const ModelSources& sources, bool skipBad) {
  for (const SidecarReader& reader : kReaders) {
    const std::string& word = sources.*reader.kind->file;
    try {
      reader.read(parts, sources.model, word);
    } catch (const Error& problem) {
      if (!skipBad || !word.empty())
        throw Error(problem.cause(),
                    fmt::format("{}; {} none ignores it", problem.what(), reader.kind->option));
      parts.model.warnings.push_back(fmt::format("{}: {}", reader.kind->without, problem.what()));
    }
  }
  for (const std::string& text : sources.zone)
    readZoneText(parts.model, text, parts.zones.table);
  checkZoneMethods(parts.zones.table);
}

LayerStack readLayers(Model& model, const std::string& word) {
  if (word.empty() || word == kNoLayers) return {};
  if (word != kOwnLayers) return layerStackFromJson(model, readAbout(model, word), word);
  std::string warning;
  LayerStack layers = ownLayers(model, warning);
  if (!warning.empty()) model.warnings.push_back(std::move(warning));
  return layers;
}

LoadOptions makeLoadOptions(const ModelSources& sources, const OpenOptions& options,
                            MotionReport& report) {
  LoadOptions load;
  load.motion = sources.motion;
  load.motionMap = sources.motionMap;
  load.seconds = options.seconds;
  load.up = sources.up;
  load.textureFolders = sources.textureFolders;
  load.textures = options.textures;
  load.progress = options.progress;
  load.report = &report;
  return load;
}

} // namespace

std::vector<const Sidecar*> sidecars() {
  std::vector<const Sidecar*> out;
  out.reserve(kReaders.size());
  for (const SidecarReader& reader : kReaders)
    out.push_back(reader.kind);
  return out;
}

void checkSidecars(const ModelSources& sources) {
  for (const Sidecar* kind : sidecars())
    checkSidecar(*kind, sources.*kind->file);
}

Workbench openSources(const ModelSources& sources, const Settings& settings,
                      const OpenOptions& options) {
  MotionReport report;
  Parts parts;
  parts.model = loadModel(sources.model, makeLoadOptions(sources, options, report));
  readSidecars(parts, sources, options.skipBadSidecars);
  const auto own = [&] { // splines are the subdivided model's own
    parts.splines = LaidSplines{nullptr, nullptr, parts.splines.path};
  };
  if (!sources.subdivide.joints.empty()) {
    parts.model = subdivideByWords(std::move(parts.model), sources.subdivide.joints);
    own();
  }
  LayerStack layers = readLayers(parts.model, sources.layers);
  Workbench workbench = makeWorkbench(std::move(parts.model), settings, std::move(parts.zones),
                                      std::move(layers), std::move(parts.drivers));
  if (sources.subdivide.bent > 0.0f) {
    Workbench posed = workbench; // in the pose that is shown first
    holdSources(posed, sources, settings);
    workbench = makeWorkbench(subdivideBent(posed, sources.subdivide.bent), settings,
                              workbench.zones, workbench.layerStack, workbench.drivers);
    own();
  }
  if (!parts.velocity.empty()) {
    setVelocityMap(workbench, std::move(parts.velocity));
    evaluate(workbench, static_cast<double>(settings.time), getWrap(settings));
  }
  workbench.splines = std::move(parts.splines);
  if (!sources.motion.empty()) workbench.motion = std::make_shared<MotionReport>(std::move(report));
  return workbench;
}

void holdSources(Workbench& workbench, const ModelSources& sources, const Settings& settings) {
  if (!sources.pose.empty())
    holdPose(workbench,
             poseFromJson(workbench.model, readAbout(workbench.model, sources.pose), sources.pose));
  if (sources.morphs.empty()) return;
  holdMorphs(workbench, sources.morphs);
  evaluate(workbench, static_cast<double>(settings.time), getWrap(settings));
}

} // namespace sinew
