#include "editor/pose/driving.h"

#include "animation/drivers/driver_edit.h"
#include "core/error.h"
#include "rig/rig_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace sinew {
namespace {

void add(Document& document, PoseDriver driver) {
  DriverSet set = getDrivers(document);
  const std::string what = fmt::format("Add the driver '{}'", driver.name);
  set.drivers.push_back(std::move(driver));
  changeDrivers(document, std::move(set), what);
}

// The name of the joint that a new driver reads; nothing, with a message, where none is selected.
std::string takeInputJoint(Document& document) {
  if (document.selected) return nodeName(document, *document.selected);
  notify(document, "select the joint whose rotation the driver is to read");
  return {};
}

void eraseOffsets(Model& model, std::uint32_t target) {
  for (Mesh& mesh : model.meshes)
    std::erase_if(mesh.morphs,
                  [&](const MorphOffsets& offsets) { return offsets.target == target; });
}

bool hasOffsets(const Model& model, std::uint32_t target) {
  return std::ranges::any_of(model.meshes, [&](const Mesh& mesh) {
    return std::ranges::find(mesh.morphs, target, &MorphOffsets::target) != mesh.morphs.end();
  });
}

std::optional<std::uint32_t> targetNamed(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.morphTargets, name, &MorphTarget::name);
  if (found == model.morphTargets.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - model.morphTargets.begin());
}

// Targets at the end that no clip moves are gone; others stay, and move nothing.
void takeAway(Model& model, const std::string& name) {
  const auto target = targetNamed(model, name);
  if (!target) return;
  eraseOffsets(model, *target);
  const auto moves = [&](const Clip& clip) {
    return std::ranges::find(clip.morphs, *target, &MorphChannel::target) != clip.morphs.end();
  };
  if (*target + 1 == model.morphTargets.size() && std::ranges::none_of(model.clips, moves))
    model.morphTargets.pop_back();
}

// The morph targets of corrective shapes: from those that the model has to others.
void changeShapes(Document& document, const DriverSet& was, const DriverSet& now) {
  Workbench& workbench = document.workbench;
  Model& model = workbench.model;
  const auto isMissing = [&](const CorrectiveShape& shape) {
    return !targetNamed(model, shape.name);
  };
  if (was.shapes == now.shapes && std::ranges::none_of(now.shapes, isMissing)) return;
  for (auto shape = was.shapes.rbegin(); shape != was.shapes.rend(); ++shape)
    if (std::ranges::find(now.shapes, shape->name, &CorrectiveShape::name) == now.shapes.end())
      takeAway(model, shape->name);
  for (const CorrectiveShape& shape : now.shapes) {
    const auto before = std::ranges::find(was.shapes, shape.name, &CorrectiveShape::name);
    const auto target = targetNamed(model, shape.name);
    if (!target) continue;
    if (before != was.shapes.end() ? *before == shape : hasOffsets(model, *target)) continue;
    eraseOffsets(model, *target);
    for (const ShapeOffsets& offsets : shape.meshes)
      model.meshes[offsets.mesh].morphs.push_back(
          {*target, offsets.vertices, offsets.positions, {}});
  }
  addShapes(model, now.shapes);
  workbench.rig.morphs.clear();
  appendMorphs(model, workbench.rig);
  for (Pose* pose : {&workbench.pose, &workbench.held})
    pose->morphWeights.resize(model.morphTargets.size(), 0.0f);
  workbench.memory = {};
  workbench.morphed = {};
  for (BoundMethod& bound : workbench.bound)
    bound.morphed.reset();
  if (workbench.reference) workbench.reference->morphed.reset();
  document.changes.storage = true;
}

} // namespace

const DriverSet& getDrivers(const Document& document) {
  static const DriverSet kNone;
  const auto& drivers = document.history.now().drivers;
  return drivers ? *drivers : kNone;
}

void changeDrivers(Document& document, DriverSet set, std::string what) {
  const Model& model = document.workbench.model;
  std::optional<Model> with; // shapes that the model does not have yet
  if (set.shapes != getDrivers(document).shapes) addShapes(with.emplace(model), set.shapes);
  for (const PoseDriver& driver : set.drivers)
    if (const std::string problem = findProblem(with ? *with : model, driver); !problem.empty())
      return notify(document, fmt::format("driver '{}': {}", driver.name, problem));
  document.history.live().drivers = std::make_shared<const DriverSet>(std::move(set));
  commitEdit(document, std::move(what));
}

void addJointDriver(Document& document, const std::string& joint) {
  if (const std::string input = takeInputJoint(document); !input.empty())
    add(document, freshDriver(input, {joint}, {}));
}

void addMorphDriver(Document& document, const std::string& morph) {
  if (const std::string input = takeInputJoint(document); !input.empty())
    add(document, freshDriver(input, {}, {morph}));
}

void addKeyFromHere(Document& document, std::size_t driver) {
  DriverSet set = getDrivers(document);
  PoseDriver& changed = set.drivers[driver];
  auto* rbf = std::get_if<RbfDriver>(&changed.kind);
  if (rbf == nullptr) return notify(document, "only an RBF driver has keys");
  DriverKey key = keyFromPose(document.workbench.model, changed, document.workbench.pose);
  key.name = fmt::format("key {}", rbf->keys.size() + 1);
  rbf->keys.push_back(std::move(key));
  changeDrivers(document, std::move(set), "Add a key pose");
}

void mirrorDriver(Document& document, std::size_t driver) {
  DriverSet set = getDrivers(document);
  std::optional<PoseDriver> other = mirroredDriver(document.workbench.model, set.drivers[driver]);
  if (!other)
    return notify(document, "this driver has no other side: its joints have no partner, or it is a "
                            "polynomial");
  set.drivers.push_back(std::move(*other));
  changeDrivers(document, std::move(set), "Mirror a driver");
}

std::vector<std::vector<float>> keyWeightsOverClip(const Document& document, std::size_t driver,
                                                   std::size_t moments) {
  const Workbench& workbench = document.workbench;
  if (!workbench.clip || workbench.preparedDrivers.empty()) return {};
  const Clip& clip = workbench.model.clips[*workbench.clip];
  std::vector<std::vector<float>> curves;
  SampleCursor cursor;
  Pose pose;
  for (std::size_t i = 0; i < moments; ++i) {
    const float share =
        static_cast<float>(i) / static_cast<float>(std::max<std::size_t>(moments, 2) - 1);
    sample(workbench.model, clip, share * clip.seconds, Wrap::clamp, cursor, pose);
    const std::vector<float> weights = workbench.preparedDrivers.keyWeights(driver, pose);
    curves.resize(weights.size());
    for (std::size_t k = 0; k < weights.size(); ++k)
      curves[k].push_back(weights[k]);
  }
  return curves;
}

void applyDrivers(Document& document) {
  const auto& shown = document.history.shown().drivers;
  ModelDrivers drivers{shown ? *shown : DriverSet{}, document.workbench.drivers.path};
  const auto& was = document.applied.edit.drivers;
  try {
    changeShapes(document, was ? *was : DriverSet{}, drivers.set);
    setDrivers(document.workbench, std::move(drivers));
  } catch (const Error& problem) {
    setDrivers(document.workbench, {{}, document.workbench.drivers.path});
    notify(document, problem.what());
  }
  document.stale = true;
}

} // namespace sinew
