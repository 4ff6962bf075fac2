#include "metrics/range_of_motion.h"

#include "core/directions.h"
#include "metrics/compare.h"
#include "metrics/skin_analysis.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

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

} // namespace sinew
