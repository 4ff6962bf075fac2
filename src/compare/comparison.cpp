#include "compare/comparison.h"

#include "app/method_list.h"
#include "bench/bench.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "gl/context.h"
#include "rig/subdivide.h"
#include "skinning/methods.h"
#include "skinning/rebind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A method bound once; posed from several threads.
struct MeasuredEntry {
  const Method* method;
  const Rig& rig;
  Binding binding;

  std::vector<vec3> pose(const Moment& moment, MethodTime& time) const {
    Palette palette;
    SkinnedMesh skin;
    const auto start = Clock::now();
    packPalette(*method, rig, binding, moment.modelFromNode, palette, moment.twists);
    time.packMs = millisecondsSince(start);
    const auto skinStart = Clock::now();
    skinMorphed(*method, rig, binding, palette, moment.morphWeights, skin);
    time.skinMs = millisecondsSince(skinStart);
    return std::move(skin.positions);
  }
};

Moment poseMoment(const Model& model, std::string clip, double at, Pose pose) {
  replaceNonFinite(model.hierarchy, pose);
  return {std::move(clip),
          at,
          modelFromNodes(model.hierarchy, pose),
          getMorphWeights(model, pose),
          pose.twists,
          pose.parentFromNode};
}

void addClip(const Workbench& workbench, std::uint32_t index, const ComparisonOptions& options,
             float time, std::vector<Moment>& out) {
  const Clip& clip = workbench.model.clips[index];
  const float begin = workbench.range.begin;
  const float length = (workbench.range.end > begin ? workbench.range.end : clip.seconds) - begin;
  PoseMemory memory;
  const std::uint32_t count = options.oneTime ? 1 : options.samples;
  for (std::uint32_t i = 0; i < count; ++i) {
    const float share = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0.0f;
    const float seconds = options.oneTime ? time : begin + length * share;
    Pose pose;
    poseAt(workbench, index, static_cast<double>(seconds), Wrap::clamp, memory, pose);
    out.push_back(
        poseMoment(workbench.model, clip.name, static_cast<double>(seconds), std::move(pose)));
  }
}

// The joint at a node that carries most skin: a node may be in several skins.
std::uint32_t findRigJoint(const Rig& rig, std::uint32_t node) {
  std::uint32_t best = kNoNode;
  std::size_t largest = 0;
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    if (rig.joints[j].node != node) continue;
    const std::size_t count = trianglesOfJoint(rig, j).size();
    if (best == kNoNode || count > largest) best = j;
    largest = std::max(largest, count);
  }
  return best;
}

void addSweep(const Workbench& workbench, std::uint32_t node, const JointSweep& sweep,
              std::vector<Moment>& out) {
  JointProbe probe;
  probe.joint = findRigJoint(workbench.rig, node);
  probe.axis = boneAxes(workbench.rig)[probe.joint];
  for (std::uint32_t i = 0; i <= sweep.steps; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(std::max(sweep.steps, 1u));
    const float degrees = sweep.from + (sweep.to - sweep.from) * share;
    Pose pose = rotatedJoint(workbench.model, workbench.rig, probe, sweep, degrees);
    pose.morphWeights = workbench.pose.morphWeights;
    pose.twists = workbench.pose.twists;
    out.push_back(poseMoment(workbench.model, "", static_cast<double>(degrees), std::move(pose)));
  }
}

std::vector<std::uint32_t> chooseNodes(const Workbench& workbench,
                                       const ComparisonOptions& options) {
  std::vector<std::uint32_t> nodes;
  for (const std::string& name : options.joints) {
    nodes.push_back(findJoint(workbench.model, name));
    if (findRigJoint(workbench.rig, nodes.back()) == kNoNode)
      throw usageError(fmt::format("'{}' of {} moves no skin", name, workbench.model.name),
                       "without --joint all that bend skin are measured");
  }
  if (options.sweep && nodes.size() != 1)
    throw usageError("--sweep turns one joint", "name it with --joint");
  return nodes;
}

std::string_view toString(JointRotation rotation) {
  return rotation == JointRotation::bend    ? "bent"
         : rotation == JointRotation::twist ? "twisted"
                                            : "bent and twisted";
}

void addMoments(const Workbench& workbench, const Settings& settings,
                const ComparisonOptions& options, std::span<const std::uint32_t> nodes,
                Comparison& out) {
  using Along = Comparison::Along;
  if (options.given) {
    out.along = Along::given;
    out.moments = options.given->moments;
    out.subject = options.given->subject;
    return;
  }
  if (options.sweep) {
    out.along = Along::sweep;
    addSweep(workbench, nodes[0], *options.sweep, out.moments);
    out.subject =
        fmt::format("{} {} from {:g} to {:g} degrees", options.joints[0],
                    toString(options.sweep->rotation), options.sweep->from, options.sweep->to);
  } else if (options.allClips && !workbench.model.clips.empty()) {
    out.along = Along::clip;
    for (std::uint32_t i = 0; i < workbench.model.clips.size(); ++i)
      addClip(workbench, i, options, settings.time, out.moments);
    out.subject =
        fmt::format("{} clips, {} moments", workbench.model.clips.size(), out.moments.size());
  } else if (workbench.clip) {
    const Clip& clip = workbench.model.clips[*workbench.clip];
    out.along = Along::clip;
    addClip(workbench, *workbench.clip, options, settings.time, out.moments);
    out.subject = options.oneTime ? fmt::format("clip {} at {:.2f} s", clip.name, settings.time)
                                  : fmt::format("clip {}, {} moments of {:.2f} s", clip.name,
                                                out.moments.size(), clip.seconds);
  } else {
    out.moments.push_back(poseMoment(workbench.model, "", 0.0, workbench.pose));
    out.subject = "one pose";
    if (workbench.model.clips.empty() && workbench.pose == restPose(workbench.model))
      out.notes.emplace_back("the model has no clip: its rest pose was measured; --pose, --motion "
                             "or --sweep with --joint moves it");
  }
}

std::size_t countNonFinite(std::span<const vec3> positions) {
  return static_cast<std::size_t>(std::ranges::count_if(positions, [](const vec3& p) {
    return !std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z);
  }));
}

// All methods, all moments, all cores.
void measureAll(const Workbench& workbench, const std::vector<MeasuredEntry>& entries,
                const MeasuredEntry& linear, Comparison& out) {
  const std::size_t methods = entries.size(), moments = out.moments.size();
  out.metrics.assign(methods, std::vector<std::vector<DeformationMetrics>>(moments));
  std::vector<MethodTime> times(methods * moments);
  std::vector<std::size_t> broken(methods * moments);
  forEachInParallel(methods * moments, [&](std::size_t i) {
    const std::size_t method = i % methods, moment = i / methods;
    MethodTime unused;
    const auto posed = entries[method].pose(getMoment(out, method, moment), times[i]);
    const auto from =
        out.reference ? entries[*out.reference].pose(getMoment(out, *out.reference, moment), unused)
                      : linear.pose(out.moments[moment], unused);
    out.metrics[method][moment] = measure(out.analysis, workbench.rig, posed, from);
    broken[i] = countNonFinite(posed);
  });
  out.broken.assign(methods, 0);
  for (std::size_t i = 0; i < broken.size(); ++i)
    out.broken[i % methods] += broken[i];
  for (std::size_t k = 0; k < methods; ++k)
    if (out.broken[k] > 0)
      out.notes.push_back(fmt::format("{} gave {} positions that are not finite",
                                      out.methods[k].name, out.broken[k]));
  for (std::size_t i = 0; i < times.size(); ++i) {
    MethodTime& fastest = out.times[i % methods];
    fastest.packMs = std::fmin(fastest.packMs, times[i].packMs);
    fastest.skinMs = std::fmin(fastest.skinMs, times[i].skinMs);
  }
}

} // namespace

Comparison compareMethods(const Workbench& workbench, const Settings& settings,
                          const ComparisonOptions& options) {
  if (workbench.rig.triangles.empty())
    throw inputError(workbench.model.name, "has no mesh to measure",
                     "it can serve as --motion of a model that has one");
  Comparison out;
  out.model = workbench.model.name;
  for (const MethodChoice& choice : options.methods) {
    const Method& method = *choice.method;
    out.methods.push_back({methodText(choice), makeTitle(choice), choice, &method,
                           withZones(workbench, method, makeBindOptions(settings, choice))});
  }
  out.methods.insert(out.methods.end(), options.others.begin(), options.others.end());
  out.reference = options.reference;
  if (out.reference)
    out.notes.push_back(
        fmt::format("distances and flipped triangles are measured against {}", referenceName(out)));
  const bool perJoint =
      std::ranges::any_of(out.methods, [](const auto& each) { return each.method->perJoint; });
  const bool stated = std::ranges::any_of(
      workbench.zones.table, [](const auto& each) { return !each.second.method.empty(); });
  if (perJoint && stated)
    out.notes.push_back("per-joint: " + zoneMethodsText(workbench.zones.table));
  out.beyond = options.beyond;
  out.jointsNamed = !options.joints.empty();
  AnalysisOptions analysis;
  analysis.nodes = chooseNodes(workbench, options);
  addMoments(workbench, settings, options, analysis.nodes, out);
  analysis.beyond = options.beyond;
  if (!options.sweep)
    analysis.scale = computeScale(
        workbench.model, workbench.rig,
        modelFromNodes(workbench.model.hierarchy, restPose(workbench.model.hierarchy)));
  out.analysis = analyzeSkin(workbench.model, workbench.rig, analysis);
  out.rest = measureRest(out.analysis, workbench.rig);
  if (out.analysis.regions.size() == 1)
    out.notes.emplace_back(
        "no joint bends the skin (every vertex follows one bone): only the whole "
        "mesh was measured");

  std::vector<MeasuredEntry> entries;
  for (const ComparedMethod& compared : out.methods) {
    MethodTime& time = out.times.emplace_back();
    for (int i = 0; i < 2; ++i) { // the first pays for memory that is touched first
      const auto start = Clock::now();
      const Rig& rig = getRig(compared, workbench.rig);
      Binding binding = compared.method->bind(rig, compared.options);
      time.bindMs = std::fmin(time.bindMs, millisecondsSince(start));
      if (i == 0) entries.push_back({compared.method, rig, std::move(binding)});
    }
    if (const float cut = entries.back().binding.largestCut; cut > 0.001f)
      out.notes.push_back(
          fmt::format("{}: joints that it does not keep had up to {:.1f} % of a vertex",
                      compared.name, 100.0f * cut));
  }
  const Method& lbs = findMethod("lbs");
  measureAll(workbench, entries,
             {&lbs, workbench.rig, lbs.bind(workbench.rig, makeBindOptions(settings, lbs))}, out);
  return out;
}

const Rig& getRig(const ComparedMethod& method, const Rig& own) {
  return method.rig ? *method.rig : own;
}

const Moment& getMoment(const Comparison& comparison, std::size_t method, std::size_t moment) {
  const ComparedMethod& of = comparison.methods[method];
  return of.rig ? of.moments[moment] : comparison.moments[moment];
}

std::string referenceName(const Comparison& comparison) {
  return comparison.reference ? comparison.methods[*comparison.reference].title : "linear blending";
}

void timeMethods(Comparison& comparison, const Workbench& workbench, const Settings& settings,
                 std::size_t vertices) {
  BenchOptions options;
  options.vertices = std::max<std::size_t>(vertices, 1);
  options.frames = 10;
  std::vector<BenchEntry> entries;
  for (const ComparedMethod& compared : comparison.methods) {
    entries.push_back({compared.name, compared.method, settings, &workbench});
    entries.back().settings.parameters = allParameters(settings, compared.choice);
  }
  try {
    const HeadlessContext context;
    const BenchReport report = runBench(entries, options);
    comparison.timedVertices = report.vertices;
    comparison.renderer = report.renderer;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      comparison.times[k].frameMs = report.results[k].frame.median;
      comparison.times[k].gpuMs = report.results[k].gpuMs.value_or(DeformationMetrics::kUndefined);
    }
  } catch (const Error& error) {
    if (error.cause() != ErrorCause::graphics) throw;
    comparison.notes.push_back(fmt::format("no frame was timed: {}", error.what()));
  }
}

} // namespace sinew
