#include "check/check.h"

#include "animation/ik/joint_limits.h"
#include "app/method_list.h"
#include "bake/baked_model.h"
#include "check/check_text.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "metrics/compare.h"
#include "rig/joint_weights.h"

#include <fmt/args.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace sinew {
namespace {

constexpr double kStep = 0.1;                     // seconds between two moments of a clip
constexpr std::size_t kVertexMoments = 1'500'000; // vertices times moments that fit into the time
constexpr std::size_t kFewestMoments = 12;
constexpr std::size_t kCrossingMoments = 48; // at which self-intersections are looked for
constexpr std::size_t kOtherMoments = 3;     // further moments of a joint besides its worst
constexpr std::size_t kFinerSteps = 4;       // steps between the worst moment and its neighbours
constexpr float kSweepDegrees = 90.0f;       // degrees
constexpr double kNotable = 0.5;             // severity from which on a moment is worth a look

struct Sample {
  CheckMoment moment;
  std::size_t region = 0; // the only region that is measured; 0: all
};

// A joint of the rig with its bone, for each region.
struct RegionJoint {
  JointProbe probe;
  std::uint32_t node = 0;
  vec3 along{0.0f, 1.0f, 0.0f}; // the bone's direction in the node's axes
  bool besideParent = false;    // the parent has skin too, so that a twist against it shows
};

struct Checker {
  Workbench& workbench;
  const CheckOptions& options;
  Check& out;
  ProgressMeter& meter;
  Pose bind;
  std::vector<RegionJoint> joints; // per region; the first is unused
  std::vector<Sample> samples;

  const BoundMethod& subject() const { return workbench.bound.front(); }
  const Rig& rig() const { return options.rig != nullptr ? *options.rig : workbench.rig; }
};

// The joint that each helper of a baked model (bake/baked_model) helps, by their names; others
// themselves.
std::vector<std::uint32_t> helpedJoints(const Model& model, const Rig& rig) {
  std::map<std::string_view, std::uint32_t> byName;
  const auto count = static_cast<std::uint32_t>(rig.joints.size());
  for (std::uint32_t joint = 0; joint < count; ++joint)
    byName.emplace(model.hierarchy.nodes[rig.joints[joint].node].name, joint);
  std::vector<std::uint32_t> out(count);
  for (std::uint32_t joint = 0; joint < count; ++joint) {
    const std::string_view name = model.hierarchy.nodes[rig.joints[joint].node].name;
    const std::size_t end = name.find_last_not_of("0123456789") + 1;
    const std::string_view stem = name.substr(0, end);
    const auto helped = end < name.size() && stem.ends_with(kHelperSuffix)
                            ? byName.find(stem.substr(0, end - kHelperSuffix.size()))
                            : byName.end();
    out[joint] = helped == byName.end() ? joint : helped->second;
  }
  return out;
}

// The rig with the helpers' skin at the joints that they help: a fault is one of a joint that
// somebody moves. None: there are no helpers.
std::optional<Rig> withoutHelpers(const Model& model, const Rig& rig) {
  const std::vector<std::uint32_t> helped = helpedJoints(model, rig);
  bool any = false;
  for (std::uint32_t joint = 0; joint < helped.size(); ++joint)
    any = any || helped[joint] != joint;
  if (!any) return std::nullopt;
  Rig out = rig;
  out.influences = {};
  for (std::size_t v = 0; v < rig.influences.vertexCount(); ++v) {
    std::vector<Influence> joined;
    for (const Influence& each : rig.influences.of(v)) {
      const auto same = std::ranges::find(joined, helped[each.joint], &Influence::joint);
      if (same == joined.end())
        joined.push_back({helped[each.joint], each.weight});
      else
        same->weight += each.weight;
    }
    std::ranges::stable_sort(joined, std::greater{}, &Influence::weight);
    out.influences.append(joined);
  }
  return out;
}

std::vector<RegionJoint> regionJoints(const Rig& rig, const SkinAnalysis& analysis) {
  const std::vector<BoneAxis> axes = boneAxes(rig);
  const std::vector<std::uint32_t> bending = bendingNodes(rig);
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<bool> hasSkin(rig.joints.size(), false);
  for (std::size_t v = 0; v < attachments.count(); ++v)
    hasSkin[attachments.of(v)[0].joint] = true;
  std::vector<RegionJoint> out(analysis.regions.size());
  for (std::size_t r = 1; r < out.size(); ++r) {
    out[r].node = analysis.regions[r].node;
    const auto joint = std::ranges::find(rig.joints, out[r].node, &RigJoint::node);
    out[r].probe.joint = static_cast<std::uint32_t>(joint - rig.joints.begin());
    out[r].probe.axis = axes[out[r].probe.joint];
    const vec3 along = mat3(joint->jointFromBind) * out[r].probe.axis.direction;
    if (glm::length(along) > 0.0f) out[r].along = glm::normalize(along);
    out[r].besideParent = std::ranges::binary_search(bending, out[r].node) ||
                          (joint->parent != kNoNode && hasSkin[joint->parent]);
  }
  return out;
}

// Against the parent, if it has skin.
double measureTwist(const Checker& checker, std::size_t region, const Pose& pose) {
  const RegionJoint& joint = checker.joints[region];
  if (!joint.besideParent) return 0.0;
  const quat turned = glm::inverse(checker.bind.parentFromNode[joint.node].rotation) *
                      pose.parentFromNode[joint.node].rotation;
  return static_cast<double>(glm::degrees(bendAndTwist(glm::normalize(turned), joint.along).angle));
}

// Posing.

std::vector<vec3> positionsBy(const Workbench& workbench, const BoundMethod& bound,
                              const Pose& pose) {
  Palette palette;
  SkinnedMesh skin;
  packPalette(*bound.method, workbench.rig, bound.binding,
              modelFromNodes(workbench.model.hierarchy, pose), palette, pose.twists);
  skinMorphed(*bound.method, workbench.rig, bound.binding, palette,
              getMorphWeights(workbench.model, pose), skin);
  return std::move(skin.positions);
}

JointShape measureShape(const SkinAnalysis& analysis, const Rig& rig, std::size_t region,
                        std::span<const vec3> posed, bool crossings, double twist) {
  const DeformationMetrics of = measureJoint(analysis, rig, region, posed, crossings);
  const SkinRegion& skin = analysis.regions[region];
  const auto triangles = static_cast<double>(std::max<std::size_t>(1, skin.triangles.size()));
  const bool broken = std::ranges::any_of(
      skin.vertices, [&](std::uint32_t v) { return !std::isfinite(glm::dot(posed[v], posed[v])); });
  return {of.crossSection, of.volume, of.folded, of.selfIntersections / triangles, twist, broken};
}

// Moments.

void poseClip(const Workbench& workbench, std::uint32_t clip, double seconds, PoseMemory& memory,
              Pose& pose) {
  poseAt(workbench, clip, seconds, Wrap::clamp, memory, pose);
  replaceNonFinite(workbench.model.hierarchy, pose);
}

void addClipMoments(Checker& checker, const std::vector<std::uint32_t>& clips) {
  const Workbench& workbench = checker.workbench;
  double seconds = 0.0;
  for (const std::uint32_t clip : clips)
    seconds += static_cast<double>(workbench.model.clips[clip].seconds);
  const std::size_t vertices = std::max<std::size_t>(1, workbench.rig.positions.size());
  const std::size_t limit = std::max(kFewestMoments, kVertexMoments / vertices);
  const double room = static_cast<double>(limit > clips.size() ? limit - clips.size() : 1);
  checker.out.step = std::max(kStep, seconds / room);
  checker.out.sampled = checker.out.step > kStep;
  for (const std::uint32_t clip : clips) {
    const auto length = static_cast<double>(workbench.model.clips[clip].seconds);
    const auto steps = static_cast<std::size_t>(std::ceil(length / checker.out.step));
    PoseMemory memory;
    for (std::size_t i = 0; i <= steps; ++i) {
      const double at =
          steps == 0 ? 0.0 : length * static_cast<double>(i) / static_cast<double>(steps);
      Sample sample{{clip, at, false, {}}, 0};
      poseClip(workbench, clip, at, memory, sample.moment.pose);
      checker.samples.push_back(std::move(sample));
    }
  }
}

void addSweeps(Checker& checker) {
  const Workbench& workbench = checker.workbench;
  for (std::size_t r = 1; r < checker.joints.size(); ++r)
    for (const auto& [rotation, toward] : {std::pair(JointRotation::bend, vec3(0, 0, 1)),
                                           {JointRotation::bend, vec3(1, 0, 0)},
                                           {JointRotation::twist, vec3(0, 0, 1)}})
      for (const float degrees : {-kSweepDegrees, kSweepDegrees}) {
        JointSweep sweep;
        sweep.rotation = rotation;
        sweep.bendToward = toward;
        Pose pose =
            rotatedJoint(workbench.model, checker.rig(), checker.joints[r].probe, sweep, degrees);
        workbench.preparedDrivers.apply(workbench.model, pose);
        checker.samples.push_back({{std::nullopt, static_cast<double>(degrees),
                                    rotation == JointRotation::twist, std::move(pose)},
                                   r});
      }
}

// Shapes of all regions at all samples.
using Shapes = std::vector<std::vector<JointShape>>; // [sample][region]

Shapes measureSamples(Checker& checker) {
  const Check& out = checker.out;
  const std::size_t count = checker.samples.size(), regions = out.analysis.regions.size();
  const std::size_t vertices = std::max<std::size_t>(1, checker.workbench.rig.positions.size());
  const std::size_t looks =
      std::clamp<std::size_t>(kVertexMoments / 4 / vertices, 4, kCrossingMoments);
  const std::size_t stride = std::max<std::size_t>(1, (count + looks - 1) / looks);
  Shapes shapes(count, std::vector<JointShape>(regions));
  checker.meter.startStage("looking for faults", 0.6f, count);
  forEachInParallel(count, [&](std::size_t i) {
    const Sample& sample = checker.samples[i];
    const std::vector<vec3> posed =
        positionsBy(checker.workbench, checker.subject(), sample.moment.pose);
    const bool sweep = sample.region != 0;
    for (std::size_t r = sweep ? sample.region : 1; r < (sweep ? sample.region + 1 : regions); ++r)
      shapes[i][r] = measureShape(out.analysis, checker.rig(), r, posed, sweep || i % stride == 0,
                                  measureTwist(checker, r, sample.moment.pose));
    checker.meter.piece();
  });
  return shapes;
}

// The worst sample of a region, then the worst of each other clip or sweep, falling.
std::vector<std::size_t> worstSamples(const Checker& checker, const Shapes& shapes,
                                      std::size_t region) {
  const double threshold = checker.options.threshold;
  std::map<std::pair<std::uint32_t, std::size_t>, std::pair<double, std::size_t>> ofClip;
  for (std::size_t i = 0; i < checker.samples.size(); ++i) {
    const Sample& sample = checker.samples[i];
    if (sample.region != 0 && sample.region != region) continue;
    const double severity = computeSeverity(shapes[i][region], threshold);
    const auto& clip = sample.moment.clip;
    const auto key = clip ? std::pair(*clip, std::size_t{0}) : std::pair(kNoNode, i);
    const auto [found, added] = ofClip.emplace(key, std::pair(severity, i));
    if (!added && severity > found->second.first) found->second = {severity, i};
  }
  std::vector<std::pair<double, std::size_t>> falling;
  falling.reserve(ofClip.size());
  for (const auto& [key, worst] : ofClip)
    falling.push_back(worst);
  std::ranges::stable_sort(falling, std::greater{}, &std::pair<double, std::size_t>::first);
  falling.resize(std::min(falling.size(), 1 + kOtherMoments));
  std::vector<std::size_t> out;
  out.reserve(falling.size());
  for (const auto& [severity, i] : falling)
    out.push_back(i);
  return out;
}

void setShape(JointFault& fault, const JointShape& shape, double threshold) {
  fault.shape = shape;
  fault.kind = &worstKind(shape, threshold);
  fault.severity = computeSeverity(shape, threshold);
}

void addJoints(Checker& checker, const Shapes& shapes) {
  const std::vector<std::string> phrases =
      jointPhrases(checker.workbench.model.hierarchy, jointNodes(checker.workbench.model));
  for (std::size_t r = 1; r < checker.joints.size(); ++r) {
    const std::vector<std::size_t> worst = worstSamples(checker, shapes, r);
    if (worst.empty()) continue;
    JointFault fault;
    fault.node = checker.joints[r].node;
    fault.region = r;
    fault.name = checker.workbench.model.hierarchy.nodes[fault.node].name;
    fault.phrase = phrases[fault.node];
    setShape(fault, shapes[worst.front()][r], checker.options.threshold);
    for (const std::size_t i : worst)
      fault.moments.push_back(checker.samples[i].moment);
    checker.out.joints.push_back(std::move(fault));
  }
}

// Looks between the worst moment and its neighbouring samples.
void refine(Checker& checker) {
  auto& joints = checker.out.joints;
  checker.meter.startStage("finding the moments", 0.7f, joints.size());
  const auto finer = static_cast<int>(kFinerSteps);
  forEachInParallel(joints.size(), [&](std::size_t k) {
    JointFault& fault = joints[k];
    CheckMoment& worst = fault.moments.front();
    const double centre = worst.at;
    for (int i = -finer; worst.clip && fault.severity > 0.5 && i <= finer; ++i) {
      const double at = centre + checker.out.step * i / (finer + 1);
      const auto length = static_cast<double>(checker.workbench.model.clips[*worst.clip].seconds);
      if (i == 0 || at < 0.0 || at > length) continue;
      PoseMemory memory;
      Pose pose;
      poseClip(checker.workbench, *worst.clip, at, memory, pose);
      const std::vector<vec3> posed = positionsBy(checker.workbench, checker.subject(), pose);
      const JointShape shape = measureShape(checker.out.analysis, checker.rig(), fault.region,
                                            posed, std::isfinite(fault.shape.crossing),
                                            measureTwist(checker, fault.region, pose));
      if (computeSeverity(shape, checker.options.threshold) <= fault.severity) continue;
      setShape(fault, shape, checker.options.threshold);
      worst.at = at;
      worst.pose = std::move(pose);
    }
    checker.meter.piece();
  });
}

// Rigid skinning keeps every measure of a bone's skin and tears it from the next bone's.
bool mayBeBest(const Method& method) {
  return method.name != "rigid" && !method.perJoint;
}

std::optional<std::size_t> findBestMethod(const std::vector<MethodShape>& methods) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < methods.size(); ++i)
    if (mayBeBest(*methods[i].method) && (!best || methods[i].severity < methods[*best].severity))
      best = i;
  return best;
}

void compareMethods(Checker& checker) {
  Workbench& workbench = checker.workbench;
  auto& joints = checker.out.joints;
  const std::size_t count = std::min(joints.size(), checker.options.measured);
  if (count == 0) return;
  std::vector<const Method*> chosen;
  for (const Method& method : methods())
    if (!method.perJoint) chosen.push_back(&method);
  checker.meter.startStage("binding the methods", 0.8f, chosen.size());
  std::vector<BoundMethod> bound(chosen.size());
  forEachInParallel(chosen.size(), [&](std::size_t i) {
    bound[i] =
        bindMethod(workbench.rig, *chosen[i],
                   withZones(workbench, *chosen[i], makeBindOptions(Settings{}, *chosen[i])));
    checker.meter.piece();
  });
  for (std::size_t k = 0; k < count; ++k)
    joints[k].methods.resize(chosen.size());
  checker.meter.startStage("comparing the methods", 1.0f, count * chosen.size());
  forEachInParallel(count * chosen.size(), [&](std::size_t i) {
    JointFault& fault = joints[i / chosen.size()];
    MethodShape& of = fault.methods[i % chosen.size()];
    of.method = chosen[i % chosen.size()];
    const Pose& pose = fault.moments.front().pose;
    of.shape = measureShape(checker.out.analysis, workbench.rig, fault.region,
                            positionsBy(workbench, bound[i % chosen.size()], pose), true,
                            fault.shape.twist);
    of.severity = computeSeverity(of.shape, checker.options.threshold);
    checker.meter.piece();
  });
  for (std::size_t k = 0; k < count; ++k)
    joints[k].best = findBestMethod(joints[k].methods);
}

// Scale of the measured poses, as in comparisons.
float scaleOfRest(const Workbench& workbench) {
  return computeScale(
      workbench.model, workbench.rig,
      modelFromNodes(workbench.model.hierarchy, restPose(workbench.model.hierarchy)));
}

std::vector<std::uint32_t> clipsToCheck(const Model& model, const CheckOptions& options) {
  if (options.clip) return {*options.clip};
  std::vector<std::uint32_t> clips;
  for (std::uint32_t i = 0; i < model.clips.size(); ++i)
    clips.push_back(i);
  return clips;
}

// 'in "Man_Death" at 1.6 s', "when bent by 90 degrees".
std::string describeMoment(const Model& model, const CheckMoment& moment) {
  if (moment.clip)
    return fmt::format("in \"{}\" at {:.1f} s", clipPhrase(model.clips[*moment.clip].name),
                       moment.at);
  return fmt::format("when {} by {:g} degrees", moment.twisted ? "twisted" : "bent",
                     std::abs(moment.at));
}

} // namespace

std::vector<std::uint32_t> checkedNodes(const Rig& rig) {
  std::vector<std::uint32_t> nodes = bendingNodes(rig);
  const JointAttachments attachments = attachToJoints(rig, 1);
  std::vector<bool> known(rig.joints.size(), false);
  for (const Triangle& triangle : rig.triangles)
    for (const std::uint32_t v : triangle)
      for (const std::uint32_t other : triangle) {
        const std::uint32_t joint = attachments.of(v)[0].joint;
        const std::uint32_t next = attachments.of(other)[0].joint;
        const std::uint32_t parent = rig.joints[joint].parent;
        if (joint == next || known[joint] || (next != parent && rig.joints[next].parent != parent))
          continue;
        known[joint] = true;
        nodes.push_back(rig.joints[joint].node);
      }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Check checkModel(Workbench workbench, const CheckOptions& given) {
  if (workbench.rig.triangles.empty())
    throw inputError(workbench.model.name, "has no mesh to check");
  if (workbench.model.skins.empty())
    throw inputError(workbench.model.name, "has no skin to check", "'sinew weights' binds a mesh");
  const auto start = Clock::now();
  workbench.layerStack = {};
  workbench.range = {};
  CheckOptions options = given;
  std::optional<Rig> own;
  if (options.rig == nullptr) own = withoutHelpers(workbench.model, workbench.rig);
  if (own) options.rig = &*own;
  Check out;
  ProgressMeter meter(options.progress);
  meter.startStage("looking at the skin", 0.1f);
  const std::vector<std::uint32_t> clips = clipsToCheck(workbench.model, options);
  AnalysisOptions analysis;
  Checker checker{workbench, options, out, meter, bindPose(workbench.model), {}, {}};
  analysis.nodes = checkedNodes(checker.rig());
  if (!clips.empty()) analysis.scale = scaleOfRest(workbench);
  out.analysis = analyzeSkin(workbench.model, checker.rig(), analysis);
  checker.joints = regionJoints(checker.rig(), out.analysis);
  meter.reach(1.0f);
  if (clips.empty())
    addSweeps(checker);
  else
    addClipMoments(checker, clips);
  out.moments = checker.samples.size();
  out.clips = clips.size();
  addJoints(checker, measureSamples(checker));
  const auto bySeverity = [&] {
    std::ranges::stable_sort(out.joints, std::greater{}, &JointFault::severity);
  };
  bySeverity();
  refine(checker);
  bySeverity();
  compareMethods(checker);
  out.seconds = secondsSince(start);
  return out;
}

std::size_t faultCount(const Check& check) {
  return static_cast<std::size_t>(std::ranges::count_if(
      check.joints, [](const JointFault& fault) { return fault.severity >= 1.0; }));
}

std::string describeFault(const Model& model, const JointFault& fault) {
  if (fault.shape.broken)
    return fmt::format("{} has positions that are not finite {}.", fault.phrase,
                       describeMoment(model, fault.moments.front()));
  return fmt::format(fmt::runtime(fault.kind->sentence), fmt::arg("joint", fault.phrase),
                     fmt::arg("percent", fmt::format("{:.0f}", fault.kind->percent(fault.shape))),
                     fmt::arg("where", describeMoment(model, fault.moments.front())));
}

std::string unbrokenText(const Model& model, const Check& check) {
  const std::string where =
      check.clips == 0 ? std::string("when bent or twisted") : "in " + counted(check.clips, "clip");
  const JointFault& worst = check.joints.front();
  return fmt::format(
      "No joint breaks {}.{}", where,
      worst.severity < kNotable ? "" : " The worst moment: " + describeFault(model, worst));
}

std::string countText(const Check& check) {
  if (check.joints.empty()) return "no joint shares skin with another: none can be checked";
  const std::size_t faults = faultCount(check);
  return fmt::format("{} of {} {} a fault", faults, counted(check.joints.size(), "joint"),
                     faults == 1 || check.joints.size() == 1 ? "has" : "have");
}

std::string describeScope(const Check& check) {
  if (check.clips == 0)
    return fmt::format("no clips: each joint bent and twisted by {:g} degrees", kSweepDegrees);
  return fmt::format("{}, {}, every {:.2g} s{}", counted(check.clips, "clip"),
                     counted(check.moments, "moment"), check.step,
                     check.sampled ? " (sampled: the model is large)" : "");
}

std::vector<JointShape> shapesIn(Workbench& workbench, const SkinAnalysis& analysis,
                                 std::span<const std::size_t> regions, const Pose& pose,
                                 std::size_t method) {
  holdPose(workbench, pose);
  const std::vector<vec3> posed = skinOnCpu(workbench, workbench.bound[method]).positions;
  std::vector<JointShape> out;
  out.reserve(regions.size());
  for (const std::size_t region : regions)
    out.push_back(measureShape(analysis, workbench.rig, region, posed, true, 0.0));
  return out;
}

JointShape shapeIn(Workbench& workbench, const SkinAnalysis& analysis, std::size_t region,
                   const Pose& pose, std::size_t method) {
  return shapesIn(workbench, analysis, {&region, 1}, pose, method).front();
}

} // namespace sinew
