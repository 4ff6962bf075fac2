// Poses and zones from files and into them: the second half of editing.h.

#include "animation/movement_json.h"
#include "app/zones_file.h"
#include "core/error.h"
#include "core/file.h"
#include "viewer/bind.h"
#include "viewer/session.h"
#include "viewer/viewport.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <system_error>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// "pose", "zones", "movement", or nothing of ours.
std::string kindOf(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("sinew") || !json["sinew"].is_string()) return {};
  return json["sinew"].get<std::string>();
}

} // namespace

bool openEdits(Viewer& viewer, const std::string& file) {
  if (fs::path(file).extension() != ".json") return false;
  if (!hasModel(viewer) || viewer.crowd) {
    toast(viewer, fmt::format("{}: there is no model to put it on", file));
    return true;
  }
  if (drafting(viewer)) {
    toast(viewer, "the skeleton is being edited: bind it, or leave it, first");
    return true;
  }
  const Model& model = viewer.bench.model;
  const std::string name = fs::path(file).filename().string();
  try {
    const std::string text = readFile(file);
    if (kindOf(text) == "zones") {
      viewer.edit.history.live().zones = zonesFromJson(model, text, file);
      viewer.bench.zones.path = file;
      viewer.edit.saved.zones = viewer.edit.history.now().zones;
      commitEdit(viewer, fmt::format("Zones of {}", name));
    } else if (kindOf(text) == "movement") {
      viewer.edit.history.live().movement = movementFromJson(model, text, file);
      viewer.ui.layer = 0;
      showTab(viewer, SideTab::layers);
      viewer.edit.saved.movement = viewer.edit.history.now().movement;
      commitEdit(viewer, fmt::format("Layers of {}", name));
    } else {
      Pose pose = poseFromJson(model.hierarchy, text, file);
      editedPose(viewer) = std::move(pose);
      commitEdit(viewer, fmt::format("Pose of {}", name));
    }
    toast(viewer, fmt::format("{} is on {}", name, model.name));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
  return true;
}

void holdSavedPose(Viewer& viewer) {
  const std::string& file = viewer.options.pose;
  try {
    editedPose(viewer) = poseFromJson(viewer.bench.model.hierarchy, readFile(file), file);
    commitEdit(viewer, "Pose of the command line");
  } catch (const Error& error) {
    viewer.failure = ImportFailure{error.what(), error.code()};
    if (viewer.options.frames == 0) fmt::print(stderr, "sinew: {}\n", error.what());
  }
}

void savePose(Viewer& viewer) {
  if (!hasModel(viewer)) return;
  try {
    std::error_code error;
    const fs::path path =
        freeName(fs::current_path(error), stemOf(viewer.bench.model) + "-pose", ".json");
    writeFile(path, poseToJson(viewer.bench.model.hierarchy, viewer.bench.pose));
    toast(viewer, fmt::format("saved {}", path.string()));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
}

void saveMovement(Viewer& viewer) {
  if (!hasModel(viewer)) return;
  try {
    std::error_code error;
    const fs::path path =
        freeName(fs::current_path(error), stemOf(viewer.bench.model) + "-movement", ".json");
    writeFile(path, movementToJson(viewer.edit.history.now().movement));
    viewer.edit.saved.movement = viewer.edit.history.now().movement;
    toast(viewer, fmt::format("saved {}", path.string()));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
}

void saveZones(Viewer& viewer) {
  if (!hasModel(viewer)) return;
  try {
    const fs::path path = zonesPath(viewer.loaded.model);
    writeFile(path, zonesToJson(viewer.edit.history.now().zones));
    viewer.edit.saved.zones = viewer.edit.history.now().zones;
    viewer.bench.zones.path = path.string();
    const bool beside = !viewer.loaded.model.starts_with("demo:");
    toast(viewer, fmt::format("saved {}{}", path.string(),
                              beside ? ": read with the model from now on" : ", for --zones"));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
}

} // namespace sinew
