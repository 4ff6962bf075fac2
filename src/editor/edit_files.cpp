#include "editor/edit_files.h"

#include "animation/drivers/bake_drivers.h"
#include "animation/layers/layer_stack_json.h"
#include "app/sidecar.h"
#include "app/subdivision.h"
#include "app/zones_file.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/bind/draft.h"
#include "editor/bind/laid_splines.h"
#include "editor/document/output_name.h"
#include "editor/pose/driving.h"
#include "editor/pose/editing.h"
#include "editor/pose/morph_editing.h"
#include "editor/session.h"
#include "export/gltf_patch.h"
#include "weights/spline_set_file.h"
#include "weights/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// "pose", "zones", "layers", "drivers", "splines", or nothing of ours.
std::string kindOf(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("sinew") || !json["sinew"].is_string()) return {};
  return json["sinew"].get<std::string>();
}

fs::path freeNameFor(const Document& document, const char* suffix, const char* extension) {
  return freeName(outputFolder(document.loaded.model), stemOf(document.bench.model) + suffix,
                  extension);
}

void openEditsUnchecked(Document& document, const BindState& bind, const std::string& file) {
  const Model& model = document.bench.model;
  const std::string name = fs::path(file).filename().string();
  const std::string text = readAbout(model, file);
  const std::string kind = kindOf(text);
  if (kind == "zones") {
    document.history.live().zones = readZoneTable(model, text, file);
    document.bench.zones.path = file;
    document.saved.zones = document.history.now().zones;
    commitEdit(document, fmt::format("Bend ranges of {}", name));
  } else if (kind == "layers") {
    document.history.live().layerStack = layerStackFromJson(model, text, file);
    document.layer = 0;
    document.topic = Topic::layers;
    document.saved.layerStack = document.history.now().layerStack;
    commitEdit(document, fmt::format("Layers of {}", name));
  } else if (kind == "drivers") {
    Model with = model; // the shapes become its morph targets when the drivers are applied
    DriverSet set = driverSetFromJson(with, text, file);
    changeDrivers(document, std::move(set), fmt::format("Drivers of {}", name));
    document.saved.drivers = document.history.now().drivers;
  } else if (kind == "splines") {
    SplineSet set = splinesFromJson(bareModel(document, bind), text, file);
    if (!laySplines(document, bind, std::move(set), fmt::format("Splines of {}", name))) return;
    document.saved.splines = document.history.now().splines;
  } else {
    Pose pose = poseFromJson(model, text, file);
    editedPose(document) = std::move(pose);
    document.saved.pose = document.history.now().pose;
    commitEdit(document, fmt::format("Pose of {}", name));
  }
  notify(document, fmt::format("{} is on {}", name, model.name));
}

// How a file that has been written is read: by itself from `beside`, the place beside the
// model; built-in models have none.
std::string savedBeside(const Document& document, const fs::path& path, const fs::path& beside,
                        const char* option) {
  const bool own = path == beside && !document.loaded.model.starts_with("demo:");
  return own ? std::string(": read with the model from now on") : fmt::format(", for {}", option);
}

} // namespace

bool openEdits(Document& document, const BindState& bind, const std::string& file) {
  if (fs::path(file).extension() != ".json") return false;
  if (!hasModel(document) || document.crowd) {
    notify(document, fmt::format("{}: there is no model to put it on", file));
    return true;
  }
  if (drafting(document)) {
    notify(document, "the skeleton is being edited: bind it, or leave it, first");
    return true;
  }
  try {
    openEditsUnchecked(document, bind, file);
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
  return true;
}

namespace {

// What the command line asks of the first model; an error counts as a failed import.
void tryOptions(Session& session, const std::function<void(Document&)>& apply) {
  try {
    apply(session.document);
  } catch (const Error& error) {
    session.imports.failure = ImportFailure{error.what(), error.cause()};
    if (!session.options.unattended) fmt::print(stderr, "sinew: {}\n", error.what());
  }
}

} // namespace

void holdSavedPose(Session& session) {
  tryOptions(session, [&](Document& document) {
    const std::string& file = session.options.pose;
    editedPose(document) =
        poseFromJson(document.bench.model, readAbout(document.bench.model, file), file);
    document.saved.pose = document.history.now().pose;
    commitEdit(document, "Pose of the command line");
  });
}

void holdGivenMorphs(Session& session) {
  tryOptions(session, [&](Document& document) {
    holdMorphs(document.bench, session.options.morphs);
    document.stale = true;
    if (!holdsPose(document)) return;
    for (const HeldMorph& held : document.bench.heldMorphs)
      setMorphWeight(document, held.target, held.weight);
    commitEdit(document, "Morph weights of the command line");
  });
}

void savePose(Document& document, fs::path path) {
  if (!hasModel(document)) return;
  try {
    if (path.empty()) path = freeNameFor(document, "-pose", ".json");
    writeFile(path, poseToJson(document.bench.model, document.bench.pose));
    document.saved.pose = document.history.now().pose;
    notifySaved(document, path);
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

void saveLayers(Document& document, fs::path path) {
  if (!hasModel(document)) return;
  try {
    if (path.empty()) path = freeNameFor(document, "-layers", ".json");
    const LayerStack& layers = layersOf(document.history.now());
    writeFile(path, layerStackToJson(layers));
    document.saved.layerStack = layers;
    notifySaved(document, path);
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

void saveDrivers(Document& document, fs::path path) {
  if (!hasModel(document)) return;
  try {
    if (path.empty()) path = sidecarPath(document.loaded.model, kDriversSidecar);
    writeFile(path, driverSetToJson(driversOf(document)));
    document.saved.drivers = document.history.now().drivers;
    document.bench.drivers.path = path.string();
    notify(document, savedBeside(document, path,
                                 sidecarPath(document.loaded.model, kDriversSidecar), "--drivers"));
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

void saveZones(Document& document, fs::path path) {
  if (!hasModel(document)) return;
  try {
    if (path.empty()) path = sidecarPath(document.loaded.model, kZonesSidecar);
    const ZoneTable& zones = zonesOf(document.history.now());
    writeFile(path, zonesToJson(zones));
    document.saved.zones = zones;
    document.bench.zones.path = path.string();
    notifySaved(
        document, path,
        savedBeside(document, path, sidecarPath(document.loaded.model, kZonesSidecar), "--zones"));
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

void saveWeights(Document& document, fs::path path) {
  if (document.history.now().model || insertedVertexCount(document.bench.model) > 0)
    return notify(document, "these weights are for joints or vertices the file does not have: save "
                            "the model (Ctrl+E)");
  try {
    if (path.empty()) path = sidecarPath(document.loaded.model, kWeightsSidecar);
    // With splines laid on the model, theirs are in the file of those.
    const Edit& now = document.history.now();
    writeFile(path, weightsToJson(paintedModel(document),
                                  now.splines ? SplineWeights::elsewhere : SplineWeights::here));
    document.saved.weights.bones = now.weights.bones;
    if (!now.splines) document.saved.weights.splines = now.weights.splines;
    notifySaved(document, path,
                savedBeside(document, path, sidecarPath(document.loaded.model, kWeightsSidecar),
                            "--weights"));
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

void saveSplines(Document& document, const BindState& bind, fs::path path) {
  if (!hasModel(document)) return;
  const Edit& now = document.history.now();
  if (now.model)
    return notify(document, "these splines are on joints the file does not have: save the model "
                            "(Ctrl+E)");
  try {
    if (path.empty()) path = sidecarPath(document.loaded.model, kSplinesSidecar);
    writeFile(path, splinesToJson(bareModel(document, bind), laidSet(document, bind)));
    document.saved.splines = now.splines;
    document.saved.weights.splines = now.weights.splines;
    document.bench.splines.path = path.string();
    notifySaved(document, path,
                savedBeside(document, path, sidecarPath(document.loaded.model, kSplinesSidecar),
                            "--splines"));
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

void saveModel(Document& document, fs::path path) {
  if (!hasModel(document)) return;
  if (drafting(document))
    return notify(document, "bind the mesh first: it has no weights to save yet");
  try {
    Model model = paintedModel(document);
    bakeDrivers(model, document.bench.preparedDrivers);
    if (path.empty()) path = freeNameFor(document, "", ".glb");
    const GlbFile file = writeGlb(model);
    writeFile(path, file.bytes);
    document.saved.model = document.history.now().model;
    document.saved.weights = document.history.now().weights;
    document.saved.splines = document.history.now().splines;
    document.saved.clips = document.history.now().clips;
    const std::vector<std::string>& out = file.notes;
    notifySaved(document, path,
                fmt::format("{}{}", out.empty() ? "" : "; left out: ", fmt::join(out, ", ")));
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

} // namespace sinew
