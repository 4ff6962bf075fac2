#include "metrics/range_of_motion.h"

#include "core/directions.h"
#include "metrics/compare.h"
#include "metrics/skin_analysis.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace sinew {
namespace {

struct ProbedRotation {
  JointRotation rotation;
  int axis; // across the bone
  float degrees;
};

constexpr ProbedRotation kRotations[] = {
    {JointRotation::bend, 0, -90.0f},  {JointRotation::bend, 0, -45.0f},
    {JointRotation::bend, 0, 45.0f},   {JointRotation::bend, 0, 90.0f},
    {JointRotation::bend, 1, -90.0f},  {JointRotation::bend, 1, -45.0f},
    {JointRotation::bend, 1, 45.0f},   {JointRotation::bend, 1, 90.0f},
    {JointRotation::twist, 0, -90.0f}, {JointRotation::twist, 0, 90.0f}};

// Smallest, largest and mean of the values that are defined.
struct DefinedRange {
  double least = RangeOfMotion::kUndefined;
  double largest = RangeOfMotion::kUndefined;
  double sum = 0.0;
  std::size_t count = 0;

  // Whether it is the smallest so far.
  bool add(double value) {
    if (std::isnan(value)) return false;
    const bool isLeast = count == 0 || value < least;
    if (isLeast) least = value;
    if (count == 0 || value > largest) largest = value;
    sum += value;
    ++count;
    return isLeast;
  }
  double mean() const {
    return count > 0 ? sum / static_cast<double>(count) : RangeOfMotion::kUndefined;
  }
};

} // namespace

RangeOfMotion measureRangeOfMotion(const Model& model, const Rig& rig, const Method& method,
                                   const BindOptions& options, const Progress& progress) {
  ProgressMeter meter(progress);
  const SkinAnalysis analysis = analyzeSkin(model, rig, {});
  const std::vector<BoneAxis> axes = boneAxes(rig);
  const Binding binding = method.bind(rig, options);
  RangeOfMotion out;
  DefinedRange volume, change, section, folded;
  meter.startStage("range of motion", 1.0f, analysis.regions.size());
  for (std::size_t r = 1; r < analysis.regions.size(); ++r) {
    const SkinRegion& region = analysis.regions[r];
    JointProbe probe;
    while (rig.joints[probe.joint].node != region.node)
      ++probe.joint;
    probe.axis = axes[probe.joint];
    const vec3 across = perpendicular(probe.axis.direction);
    ++out.joints;
    for (const ProbedRotation& probed : kRotations) {
      JointSweep sweep;
      sweep.rotation = probed.rotation;
      sweep.bendToward = probed.axis == 0 ? across : glm::cross(probe.axis.direction, across);
      const std::vector<mat4> modelFromNode =
          modelFromNodes(model.hierarchy, rotatedJoint(model, rig, probe, sweep, probed.degrees));
      Palette palette;
      packPalette(method, rig, binding, modelFromNode, palette);
      SkinnedMesh posed;
      method.skin(rig, binding, palette, posed);
      const DeformationMetrics metrics = measureJoint(analysis, rig, r, posed.positions, true);
      volume.add(metrics.volume);
      change.add(std::abs(metrics.volume - 1.0));
      if (section.add(metrics.crossSection)) out.worstSection = region.name;
      folded.add(metrics.folded);
      if (!std::isnan(metrics.selfIntersections))
        out.selfIntersections += static_cast<std::size_t>(metrics.selfIntersections);
      ++out.poses;
    }
    meter.piece();
  }
  out.leastVolume = volume.least;
  out.largestVolume = volume.largest;
  out.meanVolumeChange = change.mean();
  out.leastSection = section.least;
  out.meanSection = section.mean();
  out.largestFolded = folded.largest;
  out.meanFolded = folded.mean();
  return out;
}

namespace {

constexpr float kDegrees = 40.0f;
constexpr float kLevelSeconds = 4.0f;
constexpr std::uint32_t kLevels = 12; // deeper joints move with the last level

struct RangeKey {
  float seconds;
  vec3 toward;
  float degrees;
};
constexpr vec3 kForward(0, 0, 1), kUp(0, 1, 0);
constexpr std::array kKeys{RangeKey{0.0f, kForward, 0.0f},      RangeKey{0.5f, kForward, kDegrees},
                           RangeKey{1.5f, kForward, -kDegrees}, RangeKey{2.0f, kUp, 0.0f},
                           RangeKey{2.5f, kUp, kDegrees},       RangeKey{3.5f, kUp, -kDegrees},
                           RangeKey{kLevelSeconds, kUp, 0.0f}};

std::uint32_t findLevel(const Rig& rig, std::uint32_t joint) {
  std::uint32_t level = 0;
  for (std::uint32_t at = rig.joints[joint].parent; at != kNoNode && level < kLevels;
       at = rig.joints[at].parent)
    ++level;
  return level;
}

} // namespace

Clip rangeOfMotionClip(const Model& model) {
  const Rig rig = buildRig(model);
  const std::vector<BoneAxis> axes = boneAxes(rig);
  Clip clip{"Range of motion", 0.0f, {}};
  std::vector<bool> moved(model.hierarchy.nodes.size(), false); // one node may be in several skins
  for (std::uint32_t j = 0; j < rig.joints.size(); ++j) {
    const std::uint32_t level = findLevel(rig, j), node = rig.joints[j].node;
    if (level == 0 || moved[node]) continue;
    moved[node] = true;
    JointProbe probe;
    probe.joint = j;
    probe.axis = axes[j];
    Channel channel;
    channel.node = node;
    const float start = kLevelSeconds * static_cast<float>(level - 1);
    for (const RangeKey& key : kKeys) {
      JointSweep sweep;
      sweep.bendToward = key.toward;
      channel.rotation.times.push_back(start + key.seconds);
      channel.rotation.values.push_back(
          rotatedJoint(model, rig, probe, sweep, key.degrees).parentFromNode[node].rotation);
    }
    clip.seconds = std::max(clip.seconds, start + kLevelSeconds);
    clip.channels.push_back(std::move(channel));
  }
  return clip;
}

} // namespace sinew
