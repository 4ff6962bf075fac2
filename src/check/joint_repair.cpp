#include "check/joint_repair.h"

#include "app/corrective.h"
#include "check/weight_repair.h"
#include "core/error.h"
#include "weights/paint_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr std::size_t kMethodsTried = 3;
constexpr std::array kRangeFactors{0.6f, 1.6f};
constexpr std::array kRounds{2, 6};
constexpr double kNeighborTolerance = 0.1; // a neighbour's severity may rise by this

struct Trial {
  const Check& check;
  const JointFault& fault;
  double threshold;
  const Influences* automatic;
  std::vector<std::size_t> regions = {};        // the fault's, then those that it touches
  std::vector<std::vector<double>> before = {}; // severity by moment and region
};

// The fault's region, then those with which it shares a vertex.
std::vector<std::size_t> touchingRegions(const SkinAnalysis& analysis, std::size_t region) {
  std::vector<bool> inside(analysis.rest.size(), false);
  for (const std::uint32_t v : analysis.regions[region].vertices)
    inside[analysis.welded[v]] = true;
  std::vector<std::size_t> out{region};
  for (std::size_t r = 1; r < analysis.regions.size(); ++r)
    if (r != region && std::ranges::any_of(analysis.regions[r].vertices, [&](std::uint32_t v) {
          return inside[analysis.welded[v]];
        }))
      out.push_back(r);
  return out;
}

std::vector<double> severitiesIn(Workbench& workbench, const Trial& trial, Pose pose,
                                 std::vector<JointShape>& shapes) {
  pose.morphWeights.resize(workbench.model.morphTargets.size(), 0.0f);
  shapes = shapesIn(workbench, trial.check.analysis, trial.regions, pose);
  std::vector<double> out;
  out.reserve(shapes.size());
  for (const JointShape& shape : shapes)
    out.push_back(computeSeverity(shape, trial.threshold));
  return out;
}

const std::string& findPhrase(const Check& check, std::size_t region) {
  return std::ranges::find(check.joints, region, &JointFault::region)->phrase;
}

// The workbench's first method at the moment in which it is worst.
void measureRepair(Workbench& workbench, const Trial& trial, JointRepair& repair) {
  double own = -1.0;
  repair.severity = -1.0;
  for (std::size_t m = 0; m < trial.fault.moments.size(); ++m) {
    std::vector<JointShape> shapes;
    const std::vector<double> after =
        severitiesIn(workbench, trial, trial.fault.moments[m].pose, shapes);
    if (after.front() > own) {
      own = after.front();
      repair.shape = shapes.front();
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (after[i] <= repair.severity ||
          (i > 0 && after[i] <= trial.before[m][i] + kNeighborTolerance))
        continue;
      repair.severity = after[i];
      repair.worsened = i == 0 ? std::string() : findPhrase(trial.check, trial.regions[i]);
    }
  }
}

// Binds one method for each joint, by the workbench's zones.
void bindPerJoint(Workbench& workbench) {
  const Method& method = findMethod("per-joint");
  workbench.bound.clear();
  workbench.bound.push_back(bindMethod(workbench.rig, method, withZones(workbench, method, {})));
}

// The methods that may be best, the least severe first.
std::vector<const MethodShape*> rankMethods(const JointFault& fault) {
  std::vector<const MethodShape*> out;
  for (const MethodShape& each : fault.methods)
    if (each.method->name != "rigid" && each.method->name != "lbs") out.push_back(&each);
  std::ranges::stable_sort(out, {}, [](const MethodShape* each) { return each->severity; });
  return out;
}

JointRepair tryZone(Workbench& workbench, const Trial& trial, std::string_view kind,
                    std::string text, const JointZone& zone) {
  JointRepair repair{kind, std::move(text), zone};
  const ZoneTable before = workbench.zones.table;
  workbench.zones.table[trial.fault.name] = zone;
  bindPerJoint(workbench);
  measureRepair(workbench, trial, repair);
  workbench.zones.table = before;
  return repair;
}

void addMethods(Workbench& workbench, const Trial& trial, std::vector<JointRepair>& out) {
  const std::vector<const MethodShape*> candidates = rankMethods(trial.fault);
  for (std::size_t i = 0; i < std::min(kMethodsTried, candidates.size()); ++i) {
    JointZone zone = workbench.zones.table[trial.fault.name];
    zone.method = candidates[i]->method->name;
    out.push_back(tryZone(workbench, trial, "method",
                          fmt::format("{} at this joint", candidates[i]->method->title), zone));
  }
}

void addBendRanges(Workbench& workbench, const Trial& trial, std::vector<JointRepair>& out) {
  const std::vector<const MethodShape*> candidates = rankMethods(trial.fault);
  const auto zoned = std::ranges::find_if(
      candidates, [](const MethodShape* each) { return each->method->usesZones; });
  if (zoned == candidates.end()) return;
  const auto joint = std::ranges::find(workbench.rig.joints, trial.fault.node, &RigJoint::node);
  const auto index = static_cast<std::size_t>(joint - workbench.rig.joints.begin());
  const Zone fitted = zonesFromWeights(workbench.rig, boneAxes(workbench.rig))[index];
  for (const float factor : kRangeFactors) {
    JointZone zone = workbench.zones.table[trial.fault.name];
    zone.min = factor * fitted.min;
    zone.max = factor * fitted.max;
    zone.source = ParameterSource::zone;
    zone.method = (*zoned)->method->name;
    out.push_back(tryZone(
        workbench, trial, "bend-range",
        fmt::format("{}, bend range {:.0f} %", (*zoned)->method->title, 100.0f * factor), zone));
  }
}

void tryWeights(Workbench& workbench, const Trial& trial, JointRepair repair, Influences weights,
                std::vector<JointRepair>& out) {
  const Influences before = std::exchange(workbench.rig.influences, std::move(weights));
  workbench.bound.clear();
  workbench.bound.push_back(bindMethod(workbench.rig, findMethod("lbs"), {}));
  measureRepair(workbench, trial, repair);
  repair.weights =
      std::make_shared<const Influences>(std::exchange(workbench.rig.influences, before));
  out.push_back(std::move(repair));
}

void addWeights(Workbench& workbench, const Trial& trial, std::vector<JointRepair>& out) {
  const SkinRegion& region = trial.check.analysis.regions[trial.fault.region];
  for (const int rounds : kRounds)
    tryWeights(workbench, trial,
               {"weights", fmt::format("weights smoothed {} times", rounds), {}, rounds},
               smoothedAround(workbench.rig, region, rounds), out);
  if (trial.automatic)
    tryWeights(workbench, trial, {"bind", "automatic weights at this joint"},
               reboundAround(workbench.rig, region, *trial.automatic), out);
}

// Bends the other joints' skin by linear blending and the joint's by its best method.
std::vector<vec3> computeTargets(Workbench& workbench, const SkinAnalysis& analysis,
                                 const JointFault& fault) {
  workbench.bound.resize(1);
  workbench.bound.push_back(
      bindMethod(workbench.rig, *fault.methods[*fault.best].method,
                 withZones(workbench, *fault.methods[*fault.best].method, {})));
  holdPose(workbench, fault.moments.front().pose);
  std::vector<vec3> places = skinOnCpu(workbench, workbench.bound[0]).positions;
  const std::vector<vec3> wanted = skinOnCpu(workbench, workbench.bound[1]).positions;
  workbench.bound.resize(1);
  for (const std::uint32_t v : analysis.regions[fault.region].vertices)
    places[v] = wanted[v];
  return places;
}

// The workbench's drivers with a shape that brings the joint's skin in the fault's worst moment to
// where the fault's best method has it. Throws usageError where no joint is turned.
DriverSet fitCorrective(Workbench& workbench, const SkinAnalysis& analysis,
                        const JointFault& fault) {
  workbench.bound.clear();
  workbench.bound.push_back(bindMethod(workbench.rig, findMethod("lbs"), {}));
  const std::vector<vec3> places = computeTargets(workbench, analysis, fault);
  DriverSet set = workbench.drivers.set;
  addCorrective(workbench, places, {"fix " + fault.name, {fault.name}, 0}, set);
  return set;
}

// The workbench again from its model, with these drivers.
Workbench withDrivers(const Workbench& workbench, Model model, DriverSet set, const char* method) {
  addShapes(model, set.shapes);
  Settings settings;
  settings.methods = {{&findMethod(method)}};
  settings.clip = "bind";
  return makeWorkbench(std::move(model), settings, workbench.zones, workbench.layerStack,
                       {std::move(set), {}});
}

void addShape(Workbench& workbench, const Trial& trial, std::vector<JointRepair>& out) {
  if (!trial.fault.best) return;
  JointRepair repair{"corrective", "a corrective shape for this pose"};
  try {
    repair.drivers = std::make_shared<const DriverSet>(
        fitCorrective(workbench, trial.check.analysis, trial.fault));
    Workbench corrected = withDrivers(workbench, workbench.model, *repair.drivers, "lbs");
    measureRepair(corrected, trial, repair);
    out.push_back(std::move(repair));
  } catch (const Error&) { // no joint is turned there, or nothing would be moved
  }
}

} // namespace

std::vector<JointRepair> tryRepairs(const Workbench& workbench, const Check& check,
                                    const JointFault& fault, double threshold,
                                    const Influences* automatic, const Progress& progress) {
  ProgressMeter meter(progress);
  meter.startStage("trying repairs", 1.0f, 4);
  Workbench own = workbench;
  own.layerStack = {};
  Trial trial{check, fault, threshold, automatic, touchingRegions(check.analysis, fault.region)};
  for (const CheckMoment& moment : fault.moments) {
    std::vector<JointShape> shapes;
    trial.before.push_back(severitiesIn(own, trial, moment.pose, shapes));
  }
  std::vector<JointRepair> out;
  for (const auto add : {addMethods, addBendRanges, addWeights, addShape}) {
    add(own, trial, out);
    meter.piece();
  }
  std::ranges::stable_sort(out, {}, &JointRepair::severity);
  return out;
}

Workbench repaired(const Workbench& workbench, std::span<const JointFault> faults,
                   std::span<const JointRepair> repairs, const Influences* automatic) {
  Workbench own = workbench;
  for (std::size_t i = 0; i < repairs.size(); ++i) {
    if (!repairs[i].zone.empty()) own.zones.table[faults[i].name] = repairs[i].zone;
    if (!repairs[i].weights) continue;
    const SkinAnalysis analysis = analyzeSkin(own.model, own.rig, {{faults[i].node}});
    const SkinRegion& region = analysis.regions.back();
    own.rig.influences = repairs[i].kind == "bind"
                             ? reboundAround(own.rig, region, *automatic)
                             : smoothedAround(own.rig, region, repairs[i].rounds);
  }
  Model model = own.model;
  takeWeights(model, own.rig);
  DriverSet drivers = own.drivers.set;
  const SkinAnalysis analysis = analyzeSkin(own.model, own.rig, {checkedNodes(workbench.rig)});
  for (std::size_t i = 0; i < repairs.size(); ++i)
    if (repairs[i].kind == "corrective") {
      JointFault fault = faults[i];
      const auto region = std::ranges::find(analysis.regions, fault.node, &SkinRegion::node);
      fault.region = static_cast<std::size_t>(region - analysis.regions.begin());
      const DriverSet added = fitCorrective(own, analysis, fault);
      drivers = added;
      own.drivers.set = added; // a next shape joins these
    }
  Workbench out = withDrivers(own, std::move(model), std::move(drivers), "per-joint");
  return out;
}

} // namespace sinew
