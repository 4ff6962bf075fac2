#include "editor/pose/driving.h"

#include "animation/drivers/driver_edit.h"
#include "core/error.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace sinew {
namespace {

void add(Document& document, PoseDriver driver) {
  DriverSet set = driversOf(document);
  const std::string what = fmt::format("Add the driver '{}'", driver.name);
  set.drivers.push_back(std::move(driver));
  changeDrivers(document, std::move(set), what);
}

// The name of the joint that a new driver reads; nothing, with a message, where none is selected.
std::string inputOf(Document& document) {
  if (document.selected) return nodeName(document, *document.selected);
  notify(document, "select the joint whose rotation the driver is to read");
  return {};
}

} // namespace

const DriverSet& driversOf(const Document& document) {
  static const DriverSet kNone;
  const auto& drivers = document.history.now().drivers;
  return drivers ? *drivers : kNone;
}

void changeDrivers(Document& document, DriverSet set, std::string what) {
  for (const PoseDriver& driver : set.drivers)
    if (const std::string problem = problemOf(document.bench.model, driver); !problem.empty())
      return notify(document, fmt::format("driver '{}': {}", driver.name, problem));
  document.history.live().drivers = std::make_shared<const DriverSet>(std::move(set));
  commitEdit(document, std::move(what));
}

void addJointDriver(Document& document, const std::string& joint) {
  if (const std::string input = inputOf(document); !input.empty())
    add(document, freshDriver(input, {joint}, {}));
}

void addMorphDriver(Document& document, const std::string& morph) {
  if (const std::string input = inputOf(document); !input.empty())
    add(document, freshDriver(input, {}, {morph}));
}

void addKeyFromHere(Document& document, std::size_t driver) {
  DriverSet set = driversOf(document);
  PoseDriver& changed = set.drivers[driver];
  auto* rbf = std::get_if<RbfDriver>(&changed.kind);
  if (rbf == nullptr) return notify(document, "only an RBF driver has keys");
  DriverKey key = keyFromPose(document.bench.model, changed, document.bench.pose);
  key.name = fmt::format("key {}", rbf->keys.size() + 1);
  rbf->keys.push_back(std::move(key));
  changeDrivers(document, std::move(set), "Add a key pose");
}

void mirrorDriver(Document& document, std::size_t driver) {
  DriverSet set = driversOf(document);
  std::optional<PoseDriver> other = mirroredDriver(document.bench.model, set.drivers[driver]);
  if (!other)
    return notify(document, "this driver has no other side: its joints have no partner, or it is a "
                            "polynomial");
  set.drivers.push_back(std::move(*other));
  changeDrivers(document, std::move(set), "Mirror a driver");
}

std::vector<std::vector<float>> keyWeightsOverClip(const Document& document, std::size_t driver,
                                                   std::size_t moments) {
  const Workbench& bench = document.bench;
  if (!bench.clip || bench.preparedDrivers.empty()) return {};
  const Clip& clip = bench.model.clips[*bench.clip];
  std::vector<std::vector<float>> curves;
  SampleCursor cursor;
  Pose pose;
  for (std::size_t i = 0; i < moments; ++i) {
    const float share =
        static_cast<float>(i) / static_cast<float>(std::max<std::size_t>(moments, 2) - 1);
    sample(bench.model, clip, share * clip.seconds, Wrap::clamp, cursor, pose);
    const std::vector<float> weights = bench.preparedDrivers.keyWeights(driver, pose);
    curves.resize(weights.size());
    for (std::size_t k = 0; k < weights.size(); ++k)
      curves[k].push_back(weights[k]);
  }
  return curves;
}

void applyDrivers(Document& document) {
  ModelDrivers drivers{driversOf(document), document.bench.drivers.path};
  try {
    setDrivers(document.bench, std::move(drivers));
  } catch (const Error& problem) {
    setDrivers(document.bench, {{}, document.bench.drivers.path});
    notify(document, problem.what());
  }
  document.stale = true;
}

} // namespace sinew
