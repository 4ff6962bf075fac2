#include "app/workbench.h"

#include "app/method_list.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "skinning/joint_binding.h"
#include "skinning/modified.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <future>

namespace sinew {
namespace {

float bindPoseSize(const Workbench& workbench, BoundMethod bound) {
  packPalette(*bound.method, workbench.rig, bound.binding,
              modelFromNodes(workbench.model.hierarchy, bindPose(workbench.model)), bound.palette);
  SkinnedMesh skin;
  bound.method->skin(workbench.rig, bound.binding, bound.palette, skin);
  return computeBounds(skin.positions).size();
}

void rebindReference(Workbench& workbench, const Settings& settings) {
  workbench.differences.clear();
  workbench.largestDifference = 0.0f;
  if (!settings.difference) return workbench.reference.reset();
  const MethodChoice& choice = *settings.difference;
  const Method& method = *choice.method;
  BindOptions options = withZones(workbench, method, makeBindOptions(settings, choice));
  if (workbench.reference && workbench.reference->method == &method &&
      workbench.reference->options == options)
    return;
  workbench.reference = bindMethod(workbench.rig, method, std::move(options));
  workbench.size = bindPoseSize(workbench, *workbench.reference);
}

void pack(const Workbench& workbench, BoundMethod& bound) {
  packPalette(*bound.method, workbench.rig, bound.binding,
              bound.standIn ? bound.standIn->pose.modelFromNode : workbench.modelFromNode,
              bound.palette, workbench.pose.twists);
  if (isModified(bound.binding, velocityModifier()))
    putModifierRows(bound.binding, workbench.moving.now.joints, bound.palette.rows);
}

// Skins all methods in parallel: each is a pass over all vertices.
void compareWithReference(Workbench& workbench) {
  pack(workbench, *workbench.reference);
  const auto skinLater = [&](const BoundMethod& bound) {
    // In this thread where the system has no more.
    return std::async([&] { return skinOnCpu(workbench, bound).positions; });
  };
  const auto isReference = [&](const BoundMethod& bound) {
    return bound.method == workbench.reference->method &&
           bound.options == workbench.reference->options;
  };
  std::vector<std::future<std::vector<vec3>>> places;
  for (const BoundMethod& bound : workbench.bound)
    if (!isReference(bound)) places.push_back(skinLater(bound));
  const std::vector<vec3> reference = skinOnCpu(workbench, *workbench.reference).positions;
  workbench.differences.clear();
  auto next = places.begin();
  for (const BoundMethod& bound : workbench.bound) {
    const bool same = isReference(bound);
    workbench.differences.push_back(
        computeDifference(same ? reference : next++->get(), reference, workbench.size));
    workbench.differences.back().reference = same;
    workbench.largestDifference =
        std::max(workbench.largestDifference, workbench.differences.back().largest);
  }
}

// A clip with the workbench's range and what becomes of its way.
ClipPlay makePlay(const Workbench& workbench, std::uint32_t clip, Wrap wrap) {
  ClipPlay play{clip, workbench.range, workbench.root};
  play.map.wrap = wrap;
  return play;
}

} // namespace

namespace {

void applyStrengths(const Workbench& workbench, Binding& binding) {
  const VelocityMap& map = workbench.moving.map;
  if (map.empty() || !isModified(binding, velocityModifier())) return;
  setModifierStrength(computeStrengths(map, workbench.model.hierarchy, workbench.rig), binding);
}

void prepareMovingSkin(Workbench& workbench) {
  MovingSkin& moving = workbench.moving;
  moving.skin = makeVelocitySkin(workbench.rig, workbench.model.hierarchy);
  moving.skin.factors = listJointStrengths(moving.map, workbench.model.hierarchy);
  moving.now.joints.assign(workbench.rig.joints.size(), {});
}

} // namespace

void setDrivers(Workbench& workbench, ModelDrivers drivers) {
  workbench.preparedDrivers = PreparedDrivers(workbench.model, drivers.set.drivers);
  workbench.drivers = std::move(drivers);
}

Workbench makeWorkbench(Model model, const Settings& settings, Zones zones, LayerStack layerStack,
                        ModelDrivers drivers) {
  Workbench workbench;
  workbench.model = std::move(model);
  workbench.zones = std::move(zones);
  workbench.layerStack = std::move(layerStack);
  setDrivers(workbench, std::move(drivers));
  workbench.rig = buildRig(workbench.model);
  rebind(workbench, settings);
  chooseClip(workbench, settings);
  // A time that is the end of what plays is that end, though a loop would begin again there.
  const Wrap wrap = getWrap(settings);
  const bool atEnd = std::abs(settings.time - playedRange(workbench, wrap).end) < 1e-5f;
  evaluate(workbench, settings.time, atEnd ? Wrap::clamp : wrap);
  return workbench;
}

BindOptions withZones(const Workbench& workbench, const Method& method, BindOptions options) {
  if (!method.usesZones) return options;
  RigZones zones = rigZones(workbench.zones.table, workbench.model.hierarchy, workbench.rig);
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

std::vector<std::size_t> rebind(Workbench& workbench, const Settings& settings) {
  const std::vector<MethodChoice>& choices = settings.methods;
  MovingSkin& moving = workbench.moving;
  moving.strength = {settings.drag, settings.squash};
  workbench.bound.resize(choices.size());
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Method& method = moving.strength.moves()
                               ? modified(*choices[i].method, velocityModifier())
                               : *choices[i].method;
    BindOptions options = withZones(workbench, method, makeBindOptions(settings, choices[i]));
    options.formPerCount = workbench.formPerCount;
    BoundMethod& bound = workbench.bound[i];
    if (bound.method == &method && bound.options == options) continue;
    bound = bindMethod(workbench.rig, method, std::move(options));
    applyStrengths(workbench, bound.binding);
    changed.push_back(i);
  }
  if (moving.strength.moves() && (!changed.empty() || moving.skin.regions.empty()))
    prepareMovingSkin(workbench);
  rebindReference(workbench, settings);
  return changed;
}

void showOwnMethod(Workbench& workbench, Settings& settings) {
  if (workbench.model.skinnedBy.empty()) return;
  settings.methods = {{&findMethod(workbench.model.skinnedBy)}};
  rebind(workbench, settings);
  evaluate(workbench, static_cast<double>(settings.time), getWrap(settings));
}

void setVelocityMap(Workbench& workbench, VelocityMap map) {
  MovingSkin& moving = workbench.moving;
  moving.map = std::move(map);
  if (!moving.map.strength.empty() &&
      moving.map.strength.size() != workbench.rig.positions.size()) {
    moving.map.strength.clear();
    workbench.model.warnings.push_back(
        "the painted map of velocity skinning is of another mesh and is ignored");
  }
  for (BoundMethod& bound : workbench.bound)
    applyStrengths(workbench, bound.binding);
  if (moving.strength.moves()) prepareMovingSkin(workbench);
}

namespace {

std::uint32_t findShownClip(const Model& model, const std::string& name) {
  if (model.clips.empty())
    throw usageError(fmt::format("no clip '{}': the model has no animation", name),
                     "give one with --motion FILE");
  return findClip(model, name);
}

void checkRange(const Clip& clip, const TimeMap& range) {
  if (range.begin <= clip.seconds && range.end <= clip.seconds) return;
  throw usageError(fmt::format("the range {:g} to {:g} s is not in the clip '{}', which has {:g} s",
                               range.begin, range.end, clip.name, clip.seconds),
                   "give another --range-start and --range-end");
}

} // namespace

void chooseClip(Workbench& workbench, const Settings& settings) {
  const bool held = settings.clip == "none" || settings.clip == "bind";
  std::optional<std::uint32_t> clip;
  if (settings.clip.empty() && !workbench.model.clips.empty()) clip = 0;
  if (!settings.clip.empty() && !held) clip = findShownClip(workbench.model, settings.clip);
  TimeMap range;
  range.begin = settings.rangeStart;
  range.end = settings.rangeEnd;
  if (clip) checkRange(workbench.model.clips[*clip], range);

  workbench.clip = clip;
  workbench.range = range;
  workbench.root = settings.root;
  workbench.memory.clip = {};
  workbench.memory.fade.clear();
  workbench.memory.time = kNever;
  workbench.posed = false;
  workbench.largestDifference = 0.0f;
  workbench.held = settings.clip == "bind" ? bindPose(workbench.model) : restPose(workbench.model);
  workbench.pose = workbench.held;
}

void fadeToClip(Workbench& workbench, const Settings& settings, double time, double before,
                float seconds) {
  CrossFade fade = std::move(workbench.memory.fade);
  FadingClip old;
  if (workbench.clip) old.play = makePlay(workbench, *workbench.clip, getWrap(settings));
  old.held = workbench.held;
  old.seconds = seconds;
  old.memory = std::move(workbench.memory.clip);
  fade.push_back(std::move(old));
  for (FadingClip& each : fade)
    each.ahead += before - time;
  const double springs = workbench.memory.time + time - before;
  chooseClip(workbench, settings);
  workbench.memory.fade = std::move(fade);
  workbench.memory.time = springs;
}

namespace {

// poseAt(): springs advance in equal steps to the moment.
constexpr double kStepsPerSecond = 60.0;

void applyHeldMorphs(const Workbench& workbench, Pose& pose) {
  for (const HeldMorph& held : workbench.heldMorphs)
    pose.morphWeights[held.target] = held.weight;
}

// Clip and layers at a moment; dt: since what `state` holds.
void poseFrom(const Workbench& workbench, std::optional<std::uint32_t> clip, double seconds,
              double dt, Wrap wrap, PoseMemory& memory, LayerStackState& state, Pose& pose) {
  if (const float length = workbench.layerStack.seconds; length > 0.0f) {
    TimeMap whole;
    whole.wrap = wrap;
    seconds = static_cast<double>(mapTime(whole, seconds, length).time);
  }
  if (clip)
    sample(workbench.model, makePlay(workbench, *clip, wrap), seconds, memory.clip, pose);
  else
    pose = workbench.held;
  applyFade(workbench.model, memory.fade, seconds, pose);
  evaluate(workbench.model, workbench.layerStack, state, seconds, dt, pose);
  workbench.preparedDrivers.apply(workbench.model, pose);
  applyHeldMorphs(workbench, pose);
}

constexpr double kSame = 1e-6; // share of a step

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

void poseAt(const Workbench& workbench, std::optional<std::uint32_t> clip, double seconds,
            Wrap wrap, PoseMemory& memory, Pose& pose) {
  if (!dependsOnHistory(workbench.layerStack))
    return poseFrom(workbench, clip, seconds, 0.0, wrap, memory, memory.layerStack, pose);

  const double gone = seconds - memory.time;
  if (!(gone >= 0.0 && gone <= std::max(memory.preRoll, kMaxStep))) {
    memory.layerStack = {};
    memory.time = startBefore(seconds, memory.preRoll);
    poseFrom(workbench, clip, memory.time, 0.0, wrap, memory, memory.layerStack, pose);
  }
  const double steps = std::floor((seconds - memory.time) * kStepsPerSecond + kSame);
  const double start = memory.time;
  for (double i = 1.0; i <= steps; ++i) {
    memory.time = onStep(start + i / kStepsPerSecond);
    poseFrom(workbench, clip, memory.time, 1.0 / kStepsPerSecond, wrap, memory, memory.layerStack,
             pose);
  }
  copyHistory(memory.layerStack, memory.ahead);
  poseFrom(workbench, clip, seconds, std::max(seconds - memory.time, 0.0), wrap, memory,
           memory.ahead, pose);
}

namespace {

// Long enough that times in single precision differ, short compared to an animation's steps.
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

void moveSkin(const Workbench& workbench, const ShownMoment& shown, SkinMoment& out) {
  const MovingSkin& moving = workbench.moving;
  const Hierarchy& hierarchy = workbench.model.hierarchy;
  // Springs only go forwards, so with them velocities are those from the moment on.
  const bool forwards = dependsOnHistory(workbench.layerStack);
  const Moments at = momentsAbout(playedRange(workbench, shown.clip, shown.wrap), shown.seconds,
                                  forwards ? 0.0 : kVelocityStep);
  out.memory = shown.memory;
  if (forwards)
    out.before = shown.pose;
  else
    poseAt(workbench, shown.clip, at.before, shown.wrap, out.memory, out.before);
  poseAt(workbench, shown.clip, at.after, shown.wrap, out.memory, out.after);
  replaceNonFinite(hierarchy, out.before);
  replaceNonFinite(hierarchy, out.after);
  jointVelocities(hierarchy, out.before, out.after, at.after - at.before, shown.modelFromNode,
                  out.velocities);
  jointDisplacements(moving.skin, workbench.rig, hierarchy, shown.modelFromNode, out.velocities,
                     moving.strength, out.joints);
}

namespace {

void showStandIn(const Workbench& workbench, const MorphWeights& weights, BoundMethod& bound) {
  const auto& standIn = bound.method->shows;
  if (!standIn) return;
  if (!bound.standIn) bound.standIn.emplace();
  bound.standIn->pose = standIn->pose({workbench.modelFromNode, workbench.pose.twists, weights});
  applyMorphs(standIn->rig(), bound.standIn->pose.morphWeights, bound.standIn->morphed);
}

void morph(Workbench& workbench) {
  MorphWeights weights;
  if (!workbench.rig.morphs.empty()) weights = getMorphWeights(workbench.model, workbench.pose);
  applyMorphs(workbench.rig, weights, workbench.morphed);
  const auto apply = [&](BoundMethod& bound) {
    showStandIn(workbench, weights, bound);
    morphBinding(*bound.method, workbench.rig, bound.binding, shownVertices(workbench, bound),
                 bound.morphed);
  };
  for (BoundMethod& bound : workbench.bound)
    apply(bound);
  if (workbench.reference) apply(*workbench.reference);
}

} // namespace

void evaluate(Workbench& workbench, double seconds, Wrap wrap) {
  const Hierarchy& hierarchy = workbench.model.hierarchy;
  const auto start = Clock::now();
  workbench.seconds = seconds;
  if (workbench.posed)
    workbench.preparedDrivers.apply(workbench.model, workbench.pose);
  else
    poseAt(workbench, workbench.clip, seconds, wrap, workbench.memory, workbench.pose);
  const std::size_t replaced = replaceNonFinite(hierarchy, workbench.pose);
  modelFromNodes(hierarchy, workbench.pose, workbench.modelFromNode);
  morph(workbench);
  workbench.cost.poseMs = millisecondsSince(start);

  const auto packStart = Clock::now();
  if (workbench.moving.strength.moves() && workbench.posed)
    workbench.moving.now.joints.assign(workbench.rig.joints.size(), {}); // nothing moves
  else if (workbench.moving.strength.moves())
    moveSkin(
        workbench,
        {workbench.clip, seconds, wrap, workbench.memory, workbench.pose, workbench.modelFromNode},
        workbench.moving.now);
  for (BoundMethod& bound : workbench.bound)
    pack(workbench, bound);
  workbench.cost.paletteMs = millisecondsSince(packStart);

  const auto compareStart = Clock::now();
  if (workbench.reference) compareWithReference(workbench);
  workbench.cost.differenceMs = millisecondsSince(compareStart);

  if (replaced > 0 && !workbench.reportedNonFinite) {
    workbench.reportedNonFinite = true;
    workbench.model.warnings.push_back(fmt::format(
        "the pose holds {} transforms that are not finite; rest values used", replaced));
  }
}

namespace {

void holdMorph(Workbench& workbench, std::string_view name, float weight) {
  for (const MorphPoseWeight& each : findMorphWeights(workbench.model, name, weight)) {
    workbench.heldMorphs.push_back({each.target, each.weight});
    if (!workbench.posed) continue;
    if (workbench.pose.morphWeights.empty())
      workbench.pose.morphWeights = restWeights(workbench.model);
    workbench.pose.morphWeights[each.target] = each.weight;
  }
}

} // namespace

void holdMorphs(Workbench& workbench, std::span<const std::string> words) {
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
    holdMorph(workbench, word.substr(0, at), weight);
  }
}

void holdPose(Workbench& workbench, Pose pose) {
  workbench.clip.reset();
  workbench.largestDifference = 0.0f;
  workbench.pose = std::move(pose);
  workbench.posed = true;
  evaluate(workbench, 0.0, Wrap::clamp);
}

TimeMap playedRange(const Workbench& workbench, Wrap wrap) {
  return playedRange(workbench, workbench.clip, wrap);
}

TimeMap playedRange(const Workbench& workbench, std::optional<std::uint32_t> shown, Wrap wrap) {
  TimeMap range;
  range.wrap = wrap;
  if (workbench.posed) return range;
  if (workbench.layerStack.seconds > 0.0f) {
    range.end = workbench.layerStack.seconds;
  } else if (shown) {
    const float clip = workbench.model.clips[*shown].seconds;
    range.begin = workbench.range.begin;
    range.end = workbench.range.end > 0.0f ? workbench.range.end : clip;
  }
  if (!(range.end > range.begin)) range.wrap = Wrap::loop; // without an end
  return range;
}

float playSeconds(const Workbench& workbench, Wrap wrap) {
  const TimeMap range = playedRange(workbench, wrap);
  return (wrap == Wrap::pingPong ? 2.0f : 1.0f) * (range.end - range.begin);
}

SkinnedMesh skinOnCpu(const Workbench& workbench, const BoundMethod& bound) {
  SkinnedMesh posed;
  bound.method->skin(BindVertices(workbench.rig, shownVertices(workbench, bound)),
                     shownBinding(bound), bound.palette, posed);
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

Outline posedOutline(const Workbench& workbench) {
  Outline outline = withJoints(makeOutline(skinOnCpu(workbench, workbench.bound.front()).positions),
                               jointNodes(workbench.model), workbench.modelFromNode);
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
