#include "weights/automatic_weights.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "model/mesh.h"
#include "weights/proxy_weights.h"
#include "weights/rigid_parts.h"
#include "weights/surface_weights.h"
#include "weights/weight_report.h"

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

// The automatic algorithm reduces weights below this (docs/weights.md).
constexpr float kSmallWeight = 0.2f;
constexpr float kSurfaceEnd = 0.05f; // share of the progress

// The sums over the bones of each joint.
std::vector<Influence> ofJoints(const std::vector<Influence>& weights,
                                std::span<const std::uint32_t> jointOfBone) {
  std::vector<Influence> out;
  for (const Influence& w : weights) {
    const std::uint32_t joint = jointOfBone[w.joint];
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const Influence& o) { return o.joint == joint; });
    if (same != out.end())
      same->weight += w.weight;
    else
      out.push_back({joint, w.weight});
  }
  return out;
}

SurfaceWeights classicalWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                const WeightOptions& options,
                                std::span<const std::uint32_t> jointOfBone) {
  const bool envelopes = options.algorithm == WeightAlgorithm::envelopes;
  const std::vector<float> radii =
      envelopes ? skinRadii(surface.positions, bones) : std::vector<float>();
  const std::vector<std::uint32_t> preceding = precedingBones(bones);
  const auto weightsAtPoint = [&](const vec3& point) {
    if (envelopes) return envelopeWeights(point, bones, radii, options.envelopes);
    if (options.algorithm == WeightAlgorithm::nearestBones)
      return nearestBoneWeights(point, bones, options.distanceExponent);
    return bonesBlendingWeights(point, bones, preceding, options.jointReach);
  };
  SurfaceWeights out;
  out.weights.resize(surface.positions.size());
  out.fallbacks.assign(surface.positions.size(), WeightFallback::none);
  forEachPieceInParallel(out.weights.size(), 1024, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      out.weights[p] = weightsAtPoint(surface.positions[p]);
      if (!jointOfBone.empty()) out.weights[p] = ofJoints(out.weights[p], jointOfBone);
    }
  });
  return out;
}

// Weights by the algorithm; all but the classical ones are solved on the mesh or on a proxy of it.
SurfaceWeights solvedWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                             const WeightOptions& options,
                             std::span<const std::uint32_t> jointOfBone, WeightReport& report,
                             ProgressMeter& meter) {
  if (!findEntry(options.algorithm).solved)
    return classicalWeights(surface, bones, options, jointOfBone);
  const bool possible = !surface.triangles.empty();
  if (possible && options.proxy == WeightProxy::voxel)
    return proxyWeights(surface, bones, options, jointOfBone, report, meter);
  InitialWeights initial = initialWeights(surface, bones, options, report, meter);
  if (possible && options.proxy == WeightProxy::automatic && needsProxy(surface, initial))
    return proxyWeights(surface, bones, options, jointOfBone, report, meter);
  return surfaceWeights(surface, bones, std::move(initial), options, jointOfBone, report, meter);
}

// Rays to bones far outside leave single precision behind.
void checkBones(std::span<const vec3> positions, std::span<const BoneSegment> bones) {
  constexpr float kFarthest = 1e4f; // in sizes of the mesh
  const Bounds mesh = computeBounds(positions);
  if (mesh.empty()) return;
  const float limit = kFarthest * std::max(mesh.size(), 1e-20f);
  for (const BoneSegment& bone : bones)
    for (const vec3& end : {bone.from, bone.to})
      if (!(glm::distance(end, mesh.center()) <= limit))
        throw usageError("the skeleton is far outside the mesh, or much larger than it",
                         "fit, scale or move it to the mesh");
}

} // namespace

AutomaticWeights automaticWeights(std::span<const vec3> positions,
                                  std::span<const Triangle> triangles,
                                  std::span<const BoneSegment> bones, const WeightOptions& options,
                                  std::span<const std::uint32_t> jointOfBone,
                                  const Progress& progress) {
  assert(!bones.empty() && (jointOfBone.empty() || jointOfBone.size() == bones.size()));
  checkBones(positions, bones);
  const auto start = Clock::now();
  ProgressMeter meter(progress);
  meter.startStage("repairing the surface", kSurfaceEnd);
  AutomaticWeights out;
  const WeightSurface surface = makeWeightSurface(positions, triangles);
  out.report.repairs = surface.repairs;
  auto [weights, how] = solvedWeights(surface, bones, options, jointOfBone, out.report, meter);
  meter.startStage("filling in and pruning", 1.0f);
  if (options.algorithm == WeightAlgorithm::automatic)
    out.report.onRigidParts =
        bindRigidParts(surface, meshParts(surface, bones, jointOfBone), weights);
  if (options.algorithm == WeightAlgorithm::automatic && options.diffusion)
    for (std::vector<Influence>& w : weights)
      reduceSmallWeights(w, kSmallWeight);
  std::vector<float> cut;
  cut.reserve(weights.size());
  for (std::vector<Influence>& w : weights)
    cut.push_back(pruneWeights(w, options.influences, options.pruning));
  double cutSum = 0.0;
  for (const std::uint32_t welded : surface.weldedOfVertex) {
    out.influences.append(weights[welded]);
    out.fallbacks.push_back(how[welded]);
    out.report.fromNearestSurface += how[welded] == WeightFallback::nearestSurface ? 1 : 0;
    out.report.fromNearestBone += how[welded] == WeightFallback::nearestBone ? 1 : 0;
    out.report.largestCut = std::max(out.report.largestCut, cut[welded]);
    cutSum += static_cast<double>(cut[welded]);
  }
  out.report.meanCut = positions.empty() ? 0.0 : cutSum / static_cast<double>(positions.size());
  out.report.seconds = secondsSince(start);
  meter.piece();
  return out;
}

} // namespace sinew
