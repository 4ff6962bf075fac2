#include "check/joint_repair.h"

#include "app/corrective.h"
#include "core/error.h"
#include "rig/surface_smoothing.h"
#include "weights/paint_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace sinew {
namespace {

constexpr std::size_t kMethodsTried = 3;
constexpr std::array kRangeFactors{0.6f, 1.6f};
constexpr std::array kRounds{2, 6};
constexpr float kLeastWeight = 1e-3f; // smoothed weights below it are dropped

struct Trial {
  const Check& check;
  const JointFault& fault;
  double threshold;
};

// Severity of the bench's first method at the worst moment in which it is worst.
void measureRepair(Workbench& bench, const Trial& trial, JointRepair& repair) {
  repair.severity = -1.0;
  for (const CheckMoment& moment : trial.fault.moments) {
    const JointShape shape = shapeIn(bench, trial.check.analysis, trial.fault.region, moment.pose);
    const double severity = severityOf(shape, trial.threshold);
    if (severity <= repair.severity) continue;
    repair.severity = severity;
    repair.shape = shape;
  }
}

// Binds one method for each joint, by the bench's zones.
void bindPerJoint(Workbench& bench) {
  const Method& method = findMethod("per-joint");
  bench.bound.clear();
  bench.bound.push_back(bindMethod(bench.rig, method, withZones(bench, method, {})));
}

// Those that may be best, the least severe first.
std::vector<const MethodShape*> byFigures(const JointFault& fault) {
  std::vector<const MethodShape*> out;
  for (const MethodShape& each : fault.methods)
    if (each.method->name != "rigid" && each.method->name != "lbs") out.push_back(&each);
  std::ranges::stable_sort(out, {}, [](const MethodShape* each) { return each->severity; });
  return out;
}

JointRepair tryZone(Workbench& bench, const Trial& trial, std::string_view kind, std::string text,
                    const JointZone& zone) {
  JointRepair repair{kind, std::move(text), zone};
  const ZoneTable before = bench.zones.table;
  bench.zones.table[trial.fault.name] = zone;
  bindPerJoint(bench);
  measureRepair(bench, trial, repair);
  bench.zones.table = before;
  return repair;
}

void addMethods(Workbench& bench, const Trial& trial, std::vector<JointRepair>& out) {
  const std::vector<const MethodShape*> candidates = byFigures(trial.fault);
  for (std::size_t i = 0; i < std::min(kMethodsTried, candidates.size()); ++i) {
    JointZone zone = bench.zones.table[trial.fault.name];
    zone.method = candidates[i]->method->name;
    out.push_back(tryZone(bench, trial, "method",
                          fmt::format("{} at this joint", candidates[i]->method->title), zone));
  }
}

void addBendRanges(Workbench& bench, const Trial& trial, std::vector<JointRepair>& out) {
  const std::vector<const MethodShape*> candidates = byFigures(trial.fault);
  const auto zoned = std::ranges::find_if(
      candidates, [](const MethodShape* each) { return each->method->usesZones; });
  if (zoned == candidates.end()) return;
  const auto joint = std::ranges::find(bench.rig.joints, trial.fault.node, &RigJoint::node);
  const auto index = static_cast<std::size_t>(joint - bench.rig.joints.begin());
  const Zone fitted = zonesFromWeights(bench.rig, boneAxes(bench.rig))[index];
  for (const float factor : kRangeFactors) {
    JointZone zone = bench.zones.table[trial.fault.name];
    zone.min = factor * fitted.min;
    zone.max = factor * fitted.max;
    zone.source = ParameterSource::zone;
    zone.method = (*zoned)->method->name;
    out.push_back(tryZone(
        bench, trial, "bend-range",
        fmt::format("{}, bend range {:.0f} %", (*zoned)->method->title, 100.0f * factor), zone));
  }
}

void addSmoothing(Workbench& bench, const Trial& trial, std::vector<JointRepair>& out) {
  const SkinRegion& region = trial.check.analysis.regions[trial.fault.region];
  const Influences before = bench.rig.influences;
  const Method& linear = findMethod("lbs");
  for (const int rounds : kRounds) {
    JointRepair repair{"weights", fmt::format("weights smoothed {} times", rounds), {}, rounds};
    bench.rig.influences = smoothedAround(bench.rig, region, rounds);
    bench.bound.clear();
    bench.bound.push_back(bindMethod(bench.rig, linear, {}));
    measureRepair(bench, trial, repair);
    bench.rig.influences = before;
    out.push_back(std::move(repair));
  }
}

// Bends the other joints' skin by linear blending and the joint's by its best method.
std::vector<vec3> placesWanted(Workbench& bench, const SkinAnalysis& analysis,
                               const JointFault& fault) {
  bench.bound.resize(1);
  bench.bound.push_back(bindMethod(bench.rig, *fault.methods[*fault.best].method,
                                   withZones(bench, *fault.methods[*fault.best].method, {})));
  holdPose(bench, fault.moments.front().pose);
  std::vector<vec3> places = skinOnCpu(bench, bench.bound[0]).positions;
  const std::vector<vec3> wanted = skinOnCpu(bench, bench.bound[1]).positions;
  bench.bound.resize(1);
  for (const std::uint32_t v : analysis.regions[fault.region].vertices)
    places[v] = wanted[v];
  return places;
}

// The bench again from its model, with these drivers.
Workbench withDrivers(const Workbench& bench, Model model, DriverSet set, const char* method) {
  addShapes(model, set.shapes);
  Settings settings;
  settings.methods = {{&findMethod(method)}};
  settings.clip = "bind";
  return makeWorkbench(std::move(model), settings, bench.zones, bench.layerStack,
                       {std::move(set), {}});
}

void addShape(Workbench& bench, const Trial& trial, std::vector<JointRepair>& out) {
  if (!trial.fault.best) return;
  JointRepair repair{"corrective", "a corrective shape for this pose"};
  try {
    Workbench corrected = withDrivers(
        bench, bench.model, correctiveOf(bench, trial.check.analysis, trial.fault), "lbs");
    for (CheckMoment moment : trial.fault.moments) {
      moment.pose.morphWeights.resize(corrected.model.morphTargets.size(), 0.0f);
      const JointShape shape =
          shapeIn(corrected, trial.check.analysis, trial.fault.region, moment.pose);
      const double severity = severityOf(shape, trial.threshold);
      if (repair.severity > 0.0 && severity <= repair.severity) continue;
      repair.severity = severity;
      repair.shape = shape;
    }
    out.push_back(std::move(repair));
  } catch (const Error&) { // no joint is turned there, or nothing would be moved
  }
}

} // namespace

DriverSet correctiveOf(Workbench& bench, const SkinAnalysis& analysis, const JointFault& fault) {
  bench.bound.clear();
  bench.bound.push_back(bindMethod(bench.rig, findMethod("lbs"), {}));
  const std::vector<vec3> places = placesWanted(bench, analysis, fault);
  DriverSet set = bench.drivers.set;
  addCorrective(bench, places, {"fix " + fault.name, {fault.name}, 0}, set);
  return set;
}

Influences smoothedAround(const Rig& rig, const SkinRegion& region, int rounds) {
  const SurfaceSmoothing surface(rig);
  std::vector<std::map<std::uint32_t, float>> weights(surface.pointCount());
  for (std::size_t p = 0; p < weights.size(); ++p)
    for (const Influence& each : rig.influences.of(surface.vertexAt(p)))
      weights[p][each.joint] += each.weight;
  std::vector<bool> inside(weights.size(), false);
  for (const std::uint32_t v : region.vertices)
    inside[surface.pointOf(v)] = true;
  for (int round = 0; round < rounds; ++round) {
    const auto before = weights;
    for (std::size_t p = 0; p < weights.size(); ++p) {
      const auto neighbours = surface.neighbours(p);
      if (!inside[p] || neighbours.empty()) continue;
      for (auto& [joint, weight] : weights[p])
        weight *= 0.5f;
      for (const std::uint32_t other : neighbours)
        for (const auto& [joint, weight] : before[other])
          weights[p][joint] += 0.5f * weight / static_cast<float>(neighbours.size());
    }
  }
  Influences out;
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    std::vector<Influence> list(rig.influences.of(v).begin(), rig.influences.of(v).end());
    if (inside[surface.pointOf(v)]) {
      list.clear();
      float sum = 0.0f;
      for (const auto& [joint, weight] : weights[surface.pointOf(v)])
        if (weight >= kLeastWeight) {
          list.push_back({joint, weight});
          sum += weight;
        }
      for (Influence& each : list)
        each.weight /= sum;
      std::ranges::stable_sort(list, std::greater{}, &Influence::weight);
    }
    out.append(list);
  }
  return out;
}

std::vector<JointRepair> repairsOf(const Workbench& bench, const Check& check,
                                   const JointFault& fault, double threshold,
                                   const Progress& progress) {
  ProgressMeter meter(progress);
  meter.startStage("trying repairs", 1.0f, 4);
  const Trial trial{check, fault, threshold};
  Workbench own = bench;
  own.layerStack = {};
  std::vector<JointRepair> out;
  for (const auto add : {addMethods, addBendRanges, addSmoothing, addShape}) {
    add(own, trial, out);
    meter.piece();
  }
  std::ranges::stable_sort(out, {}, &JointRepair::severity);
  return out;
}

Workbench repaired(const Workbench& bench, std::span<const JointFault> faults,
                   std::span<const JointRepair> repairs) {
  Workbench own = bench;
  for (std::size_t i = 0; i < repairs.size(); ++i) {
    if (!repairs[i].zone.empty()) own.zones.table[faults[i].name] = repairs[i].zone;
    if (repairs[i].kind != "weights") continue;
    const SkinAnalysis analysis = analyzeSkin(own.model, own.rig, {{faults[i].node}});
    own.rig.influences = smoothedAround(own.rig, analysis.regions.back(), repairs[i].rounds);
  }
  Model model = own.model;
  takeWeights(model, own.rig);
  DriverSet drivers = own.drivers.set;
  const SkinAnalysis analysis = analyzeSkin(own.model, own.rig, {checkedNodes(bench.rig)});
  for (std::size_t i = 0; i < repairs.size(); ++i)
    if (repairs[i].kind == "corrective") {
      JointFault fault = faults[i];
      const auto region = std::ranges::find(analysis.regions, fault.node, &SkinRegion::node);
      fault.region = static_cast<std::size_t>(region - analysis.regions.begin());
      const DriverSet added = correctiveOf(own, analysis, fault);
      drivers = added;
      own.drivers.set = added; // a next shape joins these
    }
  Workbench out = withDrivers(own, std::move(model), std::move(drivers), "per-joint");
  return out;
}

} // namespace sinew
