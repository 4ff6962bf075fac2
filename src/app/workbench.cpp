#include "app/workbench.h"

#include "app/bind_options.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "skinning/joint_binding.h"
#include "skinning/modified.h"
#include "skinning/velocity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <future>

namespace sinew {
namespace {

float bindPoseSize(const Workbench& bench, BoundMethod bound) {
  packPalette(*bound.method, bench.rig, bound.binding,
              modelFromNodes(bench.model.hierarchy, bindPose(bench.model)), bound.palette);
  SkinnedMesh skin;
  bound.method->skin(bench.rig, bound.binding, bound.palette, skin);
  return computeBounds(skin.positions).size();
}

void rebindReference(Workbench& bench, const Settings& settings) {
  bench.differences.clear();
  bench.largestDifference = 0.0f;
  if (!settings.difference) return bench.reference.reset();
  const MethodChoice& choice = *settings.difference;
  const Method& method = *choice.method;
  BindOptions options = withZones(bench, method, makeBindOptions(settings, choice));
  if (bench.reference && bench.reference->method == &method && bench.reference->options == options)
    return;
  bench.reference = bindMethod(bench.rig, method, std::move(options));
  bench.size = bindPoseSize(bench, *bench.reference);
}

void pack(const Workbench& bench, BoundMethod& bound) {
  packPalette(*bound.method, bench.rig, bound.binding,
              bound.standIn ? bound.standIn->pose.modelFromNode : bench.modelFromNode,
              bound.palette, bench.pose.twists);
  if (isModified(bound.binding, velocityModifier()))
    putModifierRows(bound.binding, bench.moving.now.joints, bound.palette.rows);
}

// Skins all methods in parallel: each is a pass over all vertices.
void compareWithReference(Workbench& bench) {
  pack(bench, *bench.reference);
  const auto skinLater = [&](const BoundMethod& bound) {
    return std::async(std::launch::async, [&] { return skinOnCpu(bench, bound).positions; });
  };
  const auto isReference = [&](const BoundMethod& bound) {
    return bound.method == bench.reference->method && bound.options == bench.reference->options;
  };
  std::vector<std::future<std::vector<vec3>>> places;
  for (const BoundMethod& bound : bench.bound)
    if (!isReference(bound)) places.push_back(skinLater(bound));
  const std::vector<vec3> reference = skinOnCpu(bench, *bench.reference).positions;
  bench.differences.clear();
  auto next = places.begin();
  for (const BoundMethod& bound : bench.bound) {
    const bool same = isReference(bound);
    bench.differences.push_back(
        computeDifference(same ? reference : next++->get(), reference, bench.size));
    bench.differences.back().reference = same;
    bench.largestDifference = std::max(bench.largestDifference, bench.differences.back().largest);
  }
}

} // namespace

namespace {

void applyStrengths(const Workbench& bench, Binding& binding) {
  const VelocityMap& map = bench.moving.map;
  if (map.empty() || !isModified(binding, velocityModifier())) return;
  setModifierStrength(computeStrengths(map, bench.model.hierarchy, bench.rig), binding);
}

void prepareMovingSkin(Workbench& bench) {
  MovingSkin& moving = bench.moving;
  moving.skin = makeVelocitySkin(bench.rig, bench.model.hierarchy);
  moving.skin.factors = listJointStrengths(moving.map, bench.model.hierarchy);
  moving.now.joints.assign(bench.rig.joints.size(), {});
}

} // namespace

void setDrivers(Workbench& bench, ModelDrivers drivers) {
  bench.preparedDrivers = PreparedDrivers(bench.model, drivers.set.drivers);
  bench.drivers = std::move(drivers);
}

Workbench makeWorkbench(Model model, const Settings& settings, Zones zones, LayerStack layerStack,
                        ModelDrivers drivers) {
  Workbench bench;
  bench.model = std::move(model);
  bench.zones = std::move(zones);
  bench.layerStack = std::move(layerStack);
  setDrivers(bench, std::move(drivers));
  bench.rig = buildRig(bench.model);
  rebind(bench, settings);
  chooseClip(bench, settings);
  // A time that is the end of what plays is that end, though a loop would begin again there.
  const Wrap wrap = getWrap(settings);
  const bool atEnd = std::abs(settings.time - playedRange(bench, wrap).end) < 1e-5f;
  evaluate(bench, settings.time, atEnd ? Wrap::clamp : wrap);
  return bench;
}

BindOptions withZones(const Workbench& bench, const Method& method, BindOptions options) {
  if (!method.usesZones) return options;
  RigZones zones = rigZones(bench.zones.table, bench.model.hierarchy, bench.rig);
  options.zones = std::move(zones.zones);
  options.sources = std::move(zones.sources);
  options.twists = std::move(zones.twists);
  if (!method.perJoint) return options;
  for (const std::string& name : zones.methods)
    options.methods.push_back(name.empty() ? nullptr : &findMethod(name));
  return options;
}

BoundMethod bindMethod(const Rig& rig, const Method& method, BindOptions options) {
  Binding binding = method.bind(rig, options);
  return {&method, std::move(options), std::move(binding), {}, {}};
}

std::vector<std::size_t> rebind(Workbench& bench, const Settings& settings) {
  const std::vector<MethodChoice>& choices = settings.methods;
  MovingSkin& moving = bench.moving;
  moving.strength = {settings.drag, settings.squash};
  bench.bound.resize(choices.size());
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Method& method = moving.strength.moves()
                               ? modified(*choices[i].method, velocityModifier())
                               : *choices[i].method;
    BindOptions options = withZones(bench, method, makeBindOptions(settings, choices[i]));
    options.formPerCount = bench.formPerCount;
    BoundMethod& bound = bench.bound[i];
    if (bound.method == &method && bound.options == options) continue;
    bound = bindMethod(bench.rig, method, std::move(options));
    applyStrengths(bench, bound.binding);
    changed.push_back(i);
  }
  if (moving.strength.moves() && (!changed.empty() || moving.skin.regions.empty()))
    prepareMovingSkin(bench);
  rebindReference(bench, settings);
  return changed;
}

void showOwnMethod(Workbench& bench, Settings& settings) {
  if (bench.model.skinnedBy.empty()) return;
  settings.methods = {{&findMethod(bench.model.skinnedBy)}};
  rebind(bench, settings);
  evaluate(bench, static_cast<double>(settings.time), getWrap(settings));
}

void setVelocityMap(Workbench& bench, VelocityMap map) {
  MovingSkin& moving = bench.moving;
  moving.map = std::move(map);
  if (!moving.map.strength.empty() && moving.map.strength.size() != bench.rig.positions.size()) {
    moving.map.strength.clear();
    bench.model.warnings.push_back(
        "the painted map of velocity skinning is of another mesh and is ignored");
  }
  for (BoundMethod& bound : bench.bound)
    applyStrengths(bench, bound.binding);
  if (moving.strength.moves()) prepareMovingSkin(bench);
}

namespace {

void checkRange(const Clip& clip, const TimeMap& range) {
  if (range.begin <= clip.seconds && range.end <= clip.seconds) return;
  throw usageError(fmt::format("the range {:g} to {:g} s is not in the clip '{}', which has {:g} s",
                               range.begin, range.end, clip.name, clip.seconds),
                   "give another --range-start and --range-end");
}

} // namespace

ClipPlay makePlay(const Workbench& bench, std::uint32_t clip, Wrap wrap) {
  ClipPlay play{clip, bench.range, bench.root};
  play.map.wrap = wrap;
  return play;
}

void chooseClip(Workbench& bench, const Settings& settings) {
  const bool held = settings.clip == "none" || settings.clip == "bind";
  std::optional<std::uint32_t> clip;
  if (settings.clip.empty() && !bench.model.clips.empty()) clip = 0;
  if (!settings.clip.empty() && !held) clip = findClip(bench.model, settings.clip);
  TimeMap range;
  range.begin = settings.rangeStart;
  range.end = settings.rangeEnd;
  if (clip) checkRange(bench.model.clips[*clip], range);

  bench.clip = clip;
  bench.range = range;
  bench.root = settings.root;
  bench.memory.clip = {};
  bench.memory.fade.clear();
  bench.memory.time = kNever;
  bench.posed = false;
  bench.largestDifference = 0.0f;
  bench.held = settings.clip == "bind" ? bindPose(bench.model) : restPose(bench.model);
  bench.pose = bench.held;
}

void fadeToClip(Workbench& bench, const Settings& settings, double time, double before,
                float seconds) {
  CrossFade fade = std::move(bench.memory.fade);
  FadingClip old;
  if (bench.clip) old.play = makePlay(bench, *bench.clip, getWrap(settings));
  old.held = bench.held;
  old.seconds = seconds;
  old.memory = std::move(bench.memory.clip);
  fade.push_back(std::move(old));
  for (FadingClip& each : fade)
    each.ahead += before - time;
  const double springs = bench.memory.time + time - before;
  chooseClip(bench, settings);
  bench.memory.fade = std::move(fade);
  bench.memory.time = springs;
}

namespace {

// poseAt(): springs advance in equal steps to the moment.
constexpr double kStepsPerSecond = 60.0;

void applyHeldMorphs(const Workbench& bench, Pose& pose) {
  for (const HeldMorph& held : bench.heldMorphs)
    pose.morphWeights[held.target] = held.weight;
}

// Clip and layers at a moment; dt: since what `state` holds.
void poseFrom(const Workbench& bench, std::optional<std::uint32_t> clip, double seconds, double dt,
              Wrap wrap, PoseMemory& memory, LayerStackState& state, Pose& pose) {
  if (const float length = bench.layerStack.seconds; length > 0.0f) {
    TimeMap whole;
    whole.wrap = wrap;
    seconds = static_cast<double>(mapTime(whole, seconds, length).time);
  }
  if (clip)
    sample(bench.model, makePlay(bench, *clip, wrap), seconds, memory.clip, pose);
  else
    pose = bench.held;
  applyFade(bench.model, memory.fade, seconds, pose);
  evaluate(bench.model, bench.layerStack, state, seconds, dt, pose);
  bench.preparedDrivers.apply(bench.model, pose);
  applyHeldMorphs(bench, pose);
}

constexpr double kSame = 1e-6; // of a step

// Steps are at the same moments to the last bit, however many sums led to them: layers begin there.
double onStep(double seconds) {
  const double step = std::round(seconds * kStepsPerSecond);
  return std::abs(seconds * kStepsPerSecond - step) < kSame ? step / kStepsPerSecond : seconds;
}

// On a step, so that every way to a moment takes the same ones.
double startBefore(double seconds, double preRoll) {
  const double start = std::max(seconds - preRoll, std::min(seconds, 0.0));
  return std::floor(start * kStepsPerSecond) / kStepsPerSecond;
}

} // namespace

void poseAt(const Workbench& bench, std::optional<std::uint32_t> clip, double seconds, Wrap wrap,
            PoseMemory& memory, Pose& pose) {
  if (!dependsOnHistory(bench.layerStack))
    return poseFrom(bench, clip, seconds, 0.0, wrap, memory, memory.layerStack, pose);

  const double gone = seconds - memory.time;
  if (!(gone >= 0.0 && gone <= std::max(memory.preRoll, kMaxStep))) {
    memory.layerStack = {};
    memory.time = startBefore(seconds, memory.preRoll);
    poseFrom(bench, clip, memory.time, 0.0, wrap, memory, memory.layerStack, pose);
  }
  const double steps = std::floor((seconds - memory.time) * kStepsPerSecond + kSame);
  const double start = memory.time;
  for (double i = 1.0; i <= steps; ++i) {
    memory.time = onStep(start + i / kStepsPerSecond);
    poseFrom(bench, clip, memory.time, 1.0 / kStepsPerSecond, wrap, memory, memory.layerStack,
             pose);
  }
  copyHistory(memory.layerStack, memory.ahead);
  poseFrom(bench, clip, seconds, std::max(seconds - memory.time, 0.0), wrap, memory, memory.ahead,
           pose);
}

namespace {

// Long enough that times in single precision differ, short beside the steps of an animation.
constexpr double kVelocityStep = 1.0 / 240.0; // seconds

// The moments between which velocities are measured: about `seconds`, within the same loop of the
// clip, for from its end to its start nothing moves.
struct Moments {
  double before, after;
};
Moments momentsAbout(const TimeMap& range, double seconds, double back) {
  Moments at{seconds - back, seconds + kVelocityStep};
  const double length = static_cast<double>(range.end) - static_cast<double>(range.begin);
  if (range.wrap == Wrap::pingPong || !(length > 0.0)) return at;
  const bool loops = range.wrap == Wrap::loop;
  auto start = static_cast<double>(range.begin);
  if (loops) start += std::floor((seconds - start) / length) * length;
  const double end = start + length;
  if (!loops && (seconds < start || seconds > end)) return at; // it stands
  // The very end of a loop is the start of the next one.
  const double last = loops ? end - 1e-3 * kVelocityStep : end;
  return {std::clamp(at.before, start, last), std::clamp(at.after, start, last)};
}

} // namespace

void moveSkin(const Workbench& bench, const ShownMoment& shown, SkinMoment& out) {
  const MovingSkin& moving = bench.moving;
  const Hierarchy& hierarchy = bench.model.hierarchy;
  // Springs only go forwards, so with them velocities are those from the moment on.
  const bool forwards = dependsOnHistory(bench.layerStack);
  const Moments at = momentsAbout(playedRange(bench, shown.clip, shown.wrap), shown.seconds,
                                  forwards ? 0.0 : kVelocityStep);
  out.memory = shown.memory;
  if (forwards)
    out.before = shown.pose;
  else
    poseAt(bench, shown.clip, at.before, shown.wrap, out.memory, out.before);
  poseAt(bench, shown.clip, at.after, shown.wrap, out.memory, out.after);
  replaceNonFinite(hierarchy, out.before);
  replaceNonFinite(hierarchy, out.after);
  jointVelocities(hierarchy, out.before, out.after, at.after - at.before, shown.modelFromNode,
                  out.velocities);
  jointDisplacements(moving.skin, bench.rig, hierarchy, shown.modelFromNode, out.velocities,
                     moving.strength, out.joints);
}

namespace {

void showStandIn(const Workbench& bench, const MorphWeights& weights, BoundMethod& bound) {
  const auto& standIn = bound.method->shows;
  if (!standIn) return;
  if (!bound.standIn) bound.standIn.emplace();
  bound.standIn->pose = standIn->pose({bench.modelFromNode, bench.pose.twists, weights});
  applyMorphs(standIn->rig(), bound.standIn->pose.morphWeights, bound.standIn->morphed);
}

void morph(Workbench& bench) {
  MorphWeights weights;
  if (!bench.rig.morphs.empty()) weights = getMorphWeights(bench.model, bench.pose);
  applyMorphs(bench.rig, weights, bench.morphed);
  const auto apply = [&](BoundMethod& bound) {
    showStandIn(bench, weights, bound);
    morphBinding(*bound.method, bench.rig, bound.binding, shownVertices(bench, bound),
                 bound.morphed);
  };
  for (BoundMethod& bound : bench.bound)
    apply(bound);
  if (bench.reference) apply(*bench.reference);
}

} // namespace

void evaluate(Workbench& bench, double seconds, Wrap wrap) {
  const Hierarchy& hierarchy = bench.model.hierarchy;
  const auto start = Clock::now();
  bench.seconds = seconds;
  if (bench.posed)
    bench.preparedDrivers.apply(bench.model, bench.pose);
  else
    poseAt(bench, bench.clip, seconds, wrap, bench.memory, bench.pose);
  const std::size_t replaced = replaceNonFinite(hierarchy, bench.pose);
  modelFromNodes(hierarchy, bench.pose, bench.modelFromNode);
  morph(bench);
  bench.cost.poseMs = millisecondsSince(start);

  const auto packStart = Clock::now();
  if (bench.moving.strength.moves() && bench.posed)
    bench.moving.now.joints.assign(bench.rig.joints.size(), {}); // nothing moves
  else if (bench.moving.strength.moves())
    moveSkin(bench, {bench.clip, seconds, wrap, bench.memory, bench.pose, bench.modelFromNode},
             bench.moving.now);
  for (BoundMethod& bound : bench.bound)
    pack(bench, bound);
  bench.cost.paletteMs = millisecondsSince(packStart);

  const auto compareStart = Clock::now();
  if (bench.reference) compareWithReference(bench);
  bench.cost.differenceMs = millisecondsSince(compareStart);

  if (replaced > 0 && !bench.reportedNonFinite) {
    bench.reportedNonFinite = true;
    bench.model.warnings.push_back(fmt::format(
        "the pose holds {} transforms that are not finite; rest values used", replaced));
  }
}

namespace {

void holdMorph(Workbench& bench, std::string_view name, float weight) {
  for (const MorphPoseWeight& each : findMorphWeights(bench.model, name, weight)) {
    bench.heldMorphs.push_back({each.target, each.weight});
    if (!bench.posed) continue;
    if (bench.pose.morphWeights.empty()) bench.pose.morphWeights = restWeights(bench.model);
    bench.pose.morphWeights[each.target] = each.weight;
  }
}

} // namespace

void holdMorphs(Workbench& bench, std::span<const std::string> words) {
  for (const std::string& word : words) {
    const std::size_t at = word.rfind('='); // a name may have one too
    if (at == std::string::npos)
      throw usageError(fmt::format("--morph {}: expected NAME=WEIGHT", word));
    const std::string number = word.substr(at + 1);
    char* end = nullptr;
    const float weight = std::strtof(number.c_str(), &end);
    constexpr float kLargestWeight = 1e9f;
    if (number.empty() || *end != '\0' || !(std::abs(weight) <= kLargestWeight))
      throw usageError(fmt::format("--morph {}: '{}' is not a number", word, number));
    holdMorph(bench, word.substr(0, at), weight);
  }
}

void holdPose(Workbench& bench, Pose pose) {
  bench.clip.reset();
  bench.largestDifference = 0.0f;
  bench.pose = std::move(pose);
  bench.posed = true;
  evaluate(bench, 0.0, Wrap::clamp);
}

TimeMap playedRange(const Workbench& bench, Wrap wrap) {
  return playedRange(bench, bench.clip, wrap);
}

TimeMap playedRange(const Workbench& bench, std::optional<std::uint32_t> shown, Wrap wrap) {
  TimeMap range;
  range.wrap = wrap;
  if (bench.posed) return range;
  if (bench.layerStack.seconds > 0.0f) {
    range.end = bench.layerStack.seconds;
  } else if (shown) {
    const float clip = bench.model.clips[*shown].seconds;
    range.begin = bench.range.begin;
    range.end = bench.range.end > 0.0f ? bench.range.end : clip;
  }
  if (!(range.end > range.begin)) range.wrap = Wrap::loop; // without an end
  return range;
}

float playSeconds(const Workbench& bench, Wrap wrap) {
  const TimeMap range = playedRange(bench, wrap);
  return (wrap == Wrap::pingPong ? 2.0f : 1.0f) * (range.end - range.begin);
}

SkinnedMesh skinOnCpu(const Workbench& bench, const BoundMethod& bound) {
  SkinnedMesh posed;
  bound.method->skin(BindVertices(bench.rig, shownVertices(bench, bound)), shownBinding(bound),
                     bound.palette, posed);
  return posed;
}

Outline withJoints(const Outline& skin, const std::vector<std::uint32_t>& joints,
                   const std::vector<mat4>& modelFromNode) {
  constexpr float kFarJoints = 1.5f;
  Outline both = skin;
  for (const std::uint32_t node : joints)
    both.include(vec3(modelFromNode[node][3]));
  return skin.empty() || both.size() <= kFarJoints * skin.size() ? both : skin;
}

Outline posedOutline(const Workbench& bench) {
  Outline outline = withJoints(makeOutline(skinOnCpu(bench, bench.bound.front()).positions),
                               jointNodes(bench.model), bench.modelFromNode);
  if (outline.empty()) return Bounds{vec3(-0.5f), vec3(0.5f)};
  return outline;
}

std::vector<float> jointWeights(const Rig& rig, std::uint32_t node) {
  std::vector<float> weights(rig.positions.size(), 0.0f);
  for (std::size_t v = 0; v < weights.size(); ++v)
    for (const Influence& influence : rig.influences.of(v))
      if (rig.joints[influence.joint].node == node) weights[v] += influence.weight;
  return weights;
}

std::uint32_t findJoint(const Model& model, std::string_view name) {
  if (const auto node = findNode(model.hierarchy, name)) return *node;
  std::vector<std::string> names;
  for (const std::uint32_t node : jointNodes(model))
    names.push_back(model.hierarchy.nodes[node].name);
  throw unknownName("joint", name, names);
}

} // namespace sinew
