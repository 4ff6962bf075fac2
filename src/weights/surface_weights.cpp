#include "weights/surface_weights.h"

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "weights/diffusion.h"
#include "weights/glow_initial_weights.h"
#include "weights/initial_weights.h"
#include "weights/tuned_initial_weights.h"

#include <algorithm>

namespace sinew {
namespace {

// Smaller weights are noise of the solver, from bones too far to matter.
constexpr float kNoise = 1e-5f;

using Weights = std::vector<Influence>;

// Triangles whose corners all have weights.
std::vector<std::uint32_t> weightedTriangles(const WeightSurface& surface,
                                             const std::vector<Weights>& weights) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
    if (std::all_of(surface.triangles[t].begin(), surface.triangles[t].end(),
                    [&](std::uint32_t p) { return !weights[p].empty(); }))
      out.push_back(t);
  return out;
}

// Gives weights to the welded vertices without: those of the nearest surface that has some, or the
// nearest bone.
std::vector<WeightFallback> fillIn(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                   std::span<const std::uint32_t> jointOfBone,
                                   std::vector<Weights>& weights) {
  std::vector<WeightFallback> how(weights.size(), WeightFallback::none);
  std::vector<std::uint32_t> missing;
  for (std::uint32_t p = 0; p < weights.size(); ++p)
    if (weights[p].empty()) missing.push_back(p);
  if (missing.empty()) return how;
  const std::vector<std::uint32_t> triangles = weightedTriangles(surface, weights);
  const SurfaceRays source(surface, triangles);
  std::vector<Weights> found(missing.size());
  forEachPieceInParallel(missing.size(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const vec3& at = surface.positions[missing[i]];
      if (!triangles.empty()) {
        found[i] = weightsAt(surface, weights, source.nearest(at));
        continue;
      }
      std::uint32_t best = 0;
      const auto distance = [&](std::uint32_t b) {
        return glm::length(nearestPoint(bones[b], at) - at);
      };
      for (std::uint32_t b = 1; b < bones.size(); ++b)
        if (distance(b) < distance(best)) best = b;
      found[i] = {{jointOfBone.empty() ? best : jointOfBone[best], 1.0f}};
    }
  });
  for (std::size_t i = 0; i < missing.size(); ++i) {
    weights[missing[i]] = std::move(found[i]);
    how[missing[i]] =
        triangles.empty() ? WeightFallback::nearestBone : WeightFallback::nearestSurface;
  }
  return how;
}

// A component that sees bones only here and there, such as a coat that looks into a sleeve, would
// spread the weights of those few vertices over all of it. If another component sees its bones
// well, such a component drops its initial weights and takes those of the nearest surface.
void releaseBlindComponents(const WeightSurface& surface, InitialWeights& initial) {
  std::vector<std::size_t> total(surface.componentCount, 0);
  std::vector<std::size_t> anchored(surface.componentCount, 0);
  for (std::size_t p = 0; p < surface.positions.size(); ++p) {
    ++total[surface.componentOfWelded[p]];
    anchored[surface.componentOfWelded[p]] += initial.anchoring[p] > 0.0 ? 1 : 0;
  }
  const auto sees = [&](std::size_t component) {
    return 2 * anchored[component] >= total[component];
  };
  bool any = false;
  for (std::size_t component = 0; component < surface.repairs.components; ++component)
    any = any || sees(component);
  if (!any) return;
  InitialWeights seeing;
  for (std::size_t p = 0; p < surface.positions.size(); ++p) {
    const bool stays = sees(surface.componentOfWelded[p]);
    seeing.anchoring.push_back(stays ? initial.anchoring[p] : 0.0);
    seeing.append(stays ? initial.of(p) : std::span<const Influence>());
  }
  initial = std::move(seeing);
}

// Sums the initial weights of bones for the joints that move them.
InitialWeights initialWeightsOfJoints(const InitialWeights& initial,
                                      std::span<const std::uint32_t> jointOfBone) {
  InitialWeights out;
  out.anchoring = initial.anchoring;
  for (std::size_t p = 0; p < initial.count(); ++p) {
    const auto first = static_cast<std::ptrdiff_t>(out.values.size());
    for (const Influence& bone : initial.of(p)) {
      const std::uint32_t joint = jointOfBone[bone.joint];
      const auto same = std::find_if(out.values.begin() + first, out.values.end(),
                                     [&](const Influence& o) { return o.joint == joint; });
      if (same != out.values.end())
        same->weight += bone.weight;
      else
        out.values.push_back({joint, bone.weight});
    }
    out.endList();
  }
  return out;
}

WeightField solve(const WeightSurface& surface, InitialWeights initial, std::size_t bones,
                  const WeightOptions& options, std::span<const std::uint32_t> jointOfBone,
                  WeightReport& report, ProgressMeter& meter) {
  std::size_t columns = bones;
  if (!jointOfBone.empty()) {
    initial = initialWeightsOfJoints(initial, jointOfBone);
    columns = *std::max_element(jointOfBone.begin(), jointOfBone.end()) + std::size_t{1};
  }
  if (!options.diffusion) return undiffused(surface, initial, columns);
  DiffusionTimes times;
  WeightField field = diffuse(surface, initial, columns, times, &meter);
  report.factorSeconds += times.factorSeconds;
  report.solveSeconds += times.solveSeconds;
  return field;
}

} // namespace

std::vector<Weights> weightsOfField(const WeightField& field) {
  const std::size_t columns = field.vertices > 0 ? field.values.size() / field.vertices : 0;
  std::vector<Weights> out(field.vertices);
  forEachPieceInParallel(field.vertices, 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = 0; b < columns; ++b)
      for (std::size_t p = first; p < last; ++p)
        if (const float w = field.values[b * field.vertices + p]; w > kNoise)
          out[p].push_back({static_cast<std::uint32_t>(b), w});
  });
  return out;
}

Weights weightsAt(const WeightSurface& surface, std::span<const Weights> weights,
                  const ClosestPoint& point) {
  Weights out;
  for (int c = 0; c < 3; ++c)
    for (const Influence& w :
         weights[surface.triangles[point.triangle][static_cast<std::size_t>(c)]]) {
      const auto same = std::find_if(out.begin(), out.end(),
                                     [&](const Influence& o) { return o.joint == w.joint; });
      if (same != out.end())
        same->weight += point.corners[c] * w.weight;
      else
        out.push_back({w.joint, point.corners[c] * w.weight});
    }
  std::erase_if(out, [](const Influence& w) { return !(w.weight > 0.0f); });
  return out;
}

// Frees the rays before the solve: a large mesh has no memory for both.
InitialWeights initialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                              const WeightOptions& options, WeightReport& report,
                              ProgressMeter& meter) {
  const auto start = Clock::now();
  const SurfaceRays rays(surface);
  InitialWeights initial;
  if (options.algorithm == WeightAlgorithm::boneHeat)
    initial = heatInitialWeights(surface, bones, &rays, &meter);
  else if (options.algorithm == WeightAlgorithm::boneGlow)
    initial = glowInitialWeights(surface, bones, rays, {options.glowSteps, options.glowSharpness},
                                 &meter);
  else
    initial = tunedInitialWeights(surface, bones, rays, &meter);
  releaseBlindComponents(surface, initial);
  report.visibilitySeconds += secondsSince(start);
  return initial;
}

SurfaceWeights surfaceWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                              InitialWeights initial, const WeightOptions& options,
                              std::span<const std::uint32_t> jointOfBone, WeightReport& report,
                              ProgressMeter& meter) {
  SurfaceWeights out;
  out.weights = weightsOfField(
      solve(surface, std::move(initial), bones.size(), options, jointOfBone, report, meter));
  out.fallbacks = fillIn(surface, bones, jointOfBone, out.weights);
  return out;
}

} // namespace sinew
