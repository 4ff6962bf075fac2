#include "metrics/compare.h"

#include "core/polar.h"
#include "metrics/curvature.h"
#include "metrics/distortion.h"
#include "metrics/self_intersection.h"
#include "rig/subdivide.h"
#include "skinning/methods.h"

#include <glm/geometric.hpp>

#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr std::uint32_t kSweepSlices = 97; // across a joint's zone

float volumeRatio(const Region& region, std::span<const vec3> rest, std::span<const vec3> posed) {
  const double before = computeVolume(region, rest);
  return before == 0.0 ? 1.0f : static_cast<float>(computeVolume(region, posed) / before);
}

quat aboutAxis(const vec3& axis, float degrees) {
  return glm::angleAxis(glm::radians(degrees), axis);
}

} // namespace

JointProbe probeJoint(const Model& model, const Rig& rig, std::uint32_t joint) {
  JointProbe probe;
  probe.joint = joint;
  const std::vector<BoneAxis> axes = boneAxes(rig);
  probe.axis = axes[joint];
  probe.welded = weldVertices(rig);
  probe.regionTriangles = trianglesOfJoint(rig, joint);
  probe.neighbours = neighbourTriangles(rig.triangles, probe.welded);
  probe.region = makeRegion(rig.triangles, probe.regionTriangles, probe.welded);
  std::vector<std::uint32_t> all(rig.triangles.size());
  std::iota(all.begin(), all.end(), 0u);
  probe.whole = makeRegion(rig.triangles, all, probe.welded);
  probe.edges = listEdges(rig.triangles, probe.regionTriangles, probe.welded);
  const Zone zone = zonesFromWeights(rig, axes)[joint];
  probe.rings = vertexRings(rig, joint, probe.axis, zone);
  probe.slices = surfaceSlices(rig, probe.edges, probe.axis, zone, kSweepSlices);
  // In the bind pose all methods agree.
  const Method& lbs = findMethod("lbs");
  const Binding binding = lbs.bind(rig, {});
  Palette palette;
  packPalette(lbs, rig, binding, modelFromNodes(model.hierarchy, bindPose(model)), palette);
  SkinnedMesh skin;
  lbs.skin(rig, binding, palette, skin);
  probe.rest = std::move(skin.positions);
  return probe;
}

MethodMetrics computeMetrics(const JointProbe& probe, const Rig& rig, std::string_view method,
                             std::span<const vec3> posed, std::span<const vec3> reference) {
  MethodMetrics metrics;
  metrics.method = method;
  metrics.volume = volumeRatio(probe.region, probe.rest, posed);
  metrics.totalVolume = volumeRatio(probe.whole, probe.rest, posed);
  metrics.crossSection = smallestRadiusRatio(probe.rings, probe.rest, posed);
  metrics.surfaceSection = smallestRadiusRatio(probe.slices, probe.rest, posed);
  const Stretch stretch = measureStretch(probe.edges, probe.rest, posed);
  metrics.largestStretch = stretch.largest;
  metrics.meanStretch = stretch.mean;
  metrics.curvature = findLargest(triangleCurvatures(posed, rig.triangles, probe.neighbours),
                                  probe.regionTriangles);
  metrics.flipped = flippedFraction(rig.triangles, probe.regionTriangles, reference, posed);
  metrics.selfIntersections =
      selfIntersections(posed, rig.triangles, probe.regionTriangles, probe.welded).size();
  return metrics;
}

vec3 bendAxis(const BoneAxis& axis, const vec3& bendToward) {
  for (const vec3& toward : {bendToward, vec3(1, 0, 0), vec3(0, 1, 0)}) {
    const vec3 across = toward - glm::dot(toward, axis.direction) * axis.direction;
    if (glm::length(across) > 1e-3f * glm::length(toward)) return glm::normalize(across);
  }
  return {0, 0, 1}; // not reached: a bone is parallel to one of X and Y at most
}

Pose rotatedJoint(const Model& model, const Rig& rig, const JointProbe& probe,
                  const JointSweep& sweep, float degrees) {
  quat rotation(1.0f, 0.0f, 0.0f, 0.0f);
  if (sweep.rotation != JointRotation::bend) rotation = aboutAxis(probe.axis.direction, degrees);
  if (sweep.rotation != JointRotation::twist)
    rotation = aboutAxis(bendAxis(probe.axis, sweep.bendToward), degrees) * rotation;
  const RigJoint& joint = rig.joints[probe.joint];
  const quat jointFromBind = polar(mat3(joint.jointFromBind)).rotation;
  Pose pose = bindPose(model);
  quat& local = pose.parentFromNode[joint.node].rotation;
  local = glm::normalize(local * (jointFromBind * rotation * glm::conjugate(jointFromBind)));
  return pose;
}

} // namespace sinew
