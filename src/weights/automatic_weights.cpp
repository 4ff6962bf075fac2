#include "weights/automatic_weights.h"

#include "core/parallel.h"
#include "weights/diffusion.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What a solve leaves of bones too far to matter is noise below this.
constexpr float kNoise = 1e-5f;

using Weights = std::vector<Influence>;

// The weights of every place that has some.
std::vector<Weights> placeWeights(const WeightField& field) {
  const std::size_t columns = field.places > 0 ? field.values.size() / field.places : 0;
  std::vector<Weights> out(field.places);
  forEachPieceInParallel(field.places, 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = 0; b < columns; ++b)
      for (std::size_t p = first; p < last; ++p)
        if (const float w = field.values[b * field.places + p]; w > kNoise)
          out[p].push_back({static_cast<std::uint32_t>(b), w});
  });
  return out;
}

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

Weights mixed(const WeightSurface& surface, const std::vector<Weights>& weights,
              const SurfacePoint& point) {
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

// Gives weights to the places without: those of the nearest surface that has some, or the nearest
// bone.
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
        found[i] = mixed(surface, weights, source.nearest(at));
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

// A shell that sees bones only here and there, such as a coat that looks into a sleeve, would smear
// what those few places see over all of it: where another shell sees its bones well, it gives up
// its sources and follows the surface next to it.
void releaseBlindShells(const WeightSurface& surface, WeightSources& sources) {
  std::vector<std::size_t> places(surface.shellCount, 0);
  std::vector<std::size_t> held(surface.shellCount, 0);
  for (std::size_t p = 0; p < surface.positions.size(); ++p) {
    ++places[surface.shellOfPlace[p]];
    held[surface.shellOfPlace[p]] += sources.hold[p] > 0.0 ? 1 : 0;
  }
  const auto sees = [&](std::size_t shell) { return 2 * held[shell] >= places[shell]; };
  bool any = false;
  for (std::size_t shell = 0; shell < surface.repairs.shells; ++shell)
    any = any || sees(shell);
  if (!any) return;
  WeightSources kept;
  for (std::size_t p = 0; p < surface.positions.size(); ++p) {
    const bool stays = sees(surface.shellOfPlace[p]);
    kept.hold.push_back(stays ? sources.hold[p] : 0.0);
    if (stays) kept.values.insert(kept.values.end(), sources.of(p).begin(), sources.of(p).end());
    kept.offsets.push_back(static_cast<std::uint32_t>(kept.values.size()));
  }
  sources = std::move(kept);
}

// The rays are gone before the solve begins: a large mesh has not room for both.
WeightSources sourcesOf(const WeightSurface& surface, std::span<const BoneSegment> bones,
                        const WeightOptions& options) {
  const SurfaceRays rays(surface);
  WeightSources sources =
      options.algorithm == WeightAlgorithm::boneHeat
          ? heatSources(surface, bones, &rays)
          : glowSources(surface, bones, rays, {options.glowSteps, options.glowSharpness});
  releaseBlindShells(surface, sources);
  return sources;
}

// Sources of bones as those of the joints that move them.
WeightSources sourcesOfJoints(const WeightSources& sources,
                              std::span<const std::uint32_t> jointOfBone) {
  WeightSources out;
  out.hold = sources.hold;
  for (std::size_t p = 0; p + 1 < sources.offsets.size(); ++p) {
    const auto first = static_cast<std::ptrdiff_t>(out.values.size());
    for (const Influence& bone : sources.of(p)) {
      const std::uint32_t joint = jointOfBone[bone.joint];
      const auto same = std::find_if(out.values.begin() + first, out.values.end(),
                                     [&](const Influence& o) { return o.joint == joint; });
      if (same != out.values.end())
        same->weight += bone.weight;
      else
        out.values.push_back({joint, bone.weight});
    }
    out.offsets.push_back(static_cast<std::uint32_t>(out.values.size()));
  }
  return out;
}

WeightField solve(const WeightSurface& surface, std::span<const BoneSegment> bones,
                  const WeightOptions& options, std::span<const std::uint32_t> jointOfBone,
                  WeightReport& report) {
  const auto start = Clock::now();
  WeightSources sources = sourcesOf(surface, bones, options);
  std::size_t columns = bones.size();
  if (!jointOfBone.empty()) {
    sources = sourcesOfJoints(sources, jointOfBone);
    columns = *std::max_element(jointOfBone.begin(), jointOfBone.end()) + std::size_t{1};
  }
  report.visibilitySeconds = secondsSince(start);
  if (!options.diffusion) return undiffused(surface, sources, columns);
  DiffusionTimes times;
  WeightField field = diffuse(surface, sources, columns, times);
  report.factorSeconds = times.factorSeconds;
  report.solveSeconds = times.solveSeconds;
  return field;
}

} // namespace

AutomaticWeights automaticWeights(std::span<const vec3> positions,
                                  std::span<const Triangle> triangles,
                                  std::span<const BoneSegment> bones, const WeightOptions& options,
                                  std::span<const std::uint32_t> jointOfBone) {
  assert(!bones.empty() && (jointOfBone.empty() || jointOfBone.size() == bones.size()));
  const auto start = Clock::now();
  AutomaticWeights out;
  const WeightSurface surface = makeWeightSurface(positions, triangles);
  out.report.repairs = surface.repairs;
  std::vector<Weights> weights =
      placeWeights(solve(surface, bones, options, jointOfBone, out.report));
  const std::vector<WeightFallback> how = fillIn(surface, bones, jointOfBone, weights);
  std::vector<float> cut;
  cut.reserve(weights.size());
  for (Weights& w : weights)
    cut.push_back(pruneWeights(w, options.influences, options.pruning));
  double cutSum = 0.0;
  for (const std::uint32_t place : surface.placeOfVertex) {
    out.influences.append(weights[place]);
    out.fallbacks.push_back(how[place]);
    out.report.fromNearestSurface += how[place] == WeightFallback::nearestSurface ? 1 : 0;
    out.report.fromNearestBone += how[place] == WeightFallback::nearestBone ? 1 : 0;
    out.report.largestCut = std::max(out.report.largestCut, cut[place]);
    cutSum += static_cast<double>(cut[place]);
  }
  out.report.meanCut = positions.empty() ? 0.0 : cutSum / static_cast<double>(positions.size());
  out.report.seconds = secondsSince(start);
  return out;
}

} // namespace sinew
