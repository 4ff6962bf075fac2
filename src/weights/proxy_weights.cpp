#include "weights/proxy_weights.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "weights/diffusion.h"
#include "weights/voxel_proxy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {
namespace {

// About as many vertices as a detailed character has.
constexpr std::size_t kProxyFaces = 60'000;
constexpr std::size_t kMaxVoxels = 8'000'000;
// Shares of the vertices: see needsProxy().
constexpr double kMaxBlind = 0.2;
constexpr double kMaxPieces = 0.5;
constexpr double kSmoothing = 0.25; // in voxels
constexpr float kCoarsest = 8.0f;   // times the size of voxels that is wanted

constexpr float kRefine = 0.9f;   // voxels smaller than this share of the first ones are worth it
constexpr float kProxyEnd = 0.2f; // share of the progress

// None where the mesh is so thinly spread over its box that voxels would not resolve it.
std::optional<float> chooseCellSize(const WeightSurface& surface) {
  const float cell = voxelSize(surface, kProxyFaces, kMaxVoxels);
  const float wanted = voxelSize(surface, kProxyFaces, std::numeric_limits<std::size_t>::max());
  if (std::isfinite(cell) && cell <= kCoarsest * wanted) return cell;
  return std::nullopt;
}

WeightSurface proxySurface(const WeightSurface& surface, std::span<const BoneSegment> bones,
                           const SurfaceRays& rays, float cell, ProgressMeter& meter) {
  const VoxelProxy proxy = voxelProxy(voxelSolid(surface, cell, bones, &meter), rays, &meter);
  return makeWeightSurface(proxy.positions, proxy.triangles);
}

struct Proxy {
  WeightSurface surface;
  float cell = 0.0f;
};

// Voxels are first chosen by the area of all triangles; where much of that lies inside, or twice in
// one place, the proxy has less, and it is made again with voxels by its own area.
Proxy makeProxy(const WeightSurface& surface, std::span<const BoneSegment> bones, float cell,
                ProgressMeter& meter) {
  const SurfaceRays rays(surface);
  Proxy out{proxySurface(surface, bones, rays, cell, meter), cell};
  if (out.surface.triangles.empty()) return out;
  const float finer = voxelSize(out.surface, kProxyFaces, kMaxVoxels);
  if (!(finer < kRefine * cell)) return out;
  return {proxySurface(surface, bones, rays, finer, meter), finer};
}

// Per vertex of the surface, the weights at the nearest point of the proxy.
InitialWeights transferred(const WeightSurface& surface, const WeightSurface& proxy,
                           std::span<const std::vector<Influence>> weights) {
  const SurfaceRays source(proxy);
  std::vector<std::vector<Influence>> found(surface.positions.size());
  forEachPieceInParallel(found.size(), 1024, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p)
      found[p] = weightsAt(proxy, weights, source.nearest(surface.positions[p]));
  });
  InitialWeights out;
  for (const std::vector<Influence>& vertex : found)
    out.append(vertex);
  return out;
}

// Per component: whether one of its edges has one triangle only.
std::vector<bool> openComponents(const WeightSurface& surface) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;
  for (const Triangle& t : surface.triangles)
    for (std::size_t c = 0; c < 3; ++c)
      sides.push_back(std::minmax(t[c], t[(c + 1) % 3]));
  std::sort(sides.begin(), sides.end());
  std::vector<bool> open(surface.componentCount, false);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if ((i == 0 || sides[i] != sides[i - 1]) && (i + 1 == sides.size() || sides[i] != sides[i + 1]))
      open[surface.componentOfWelded[sides[i].first]] = true;
  return open;
}

} // namespace

bool needsProxy(const WeightSurface& surface, const InitialWeights& initial) {
  std::vector<std::size_t> sizes(surface.componentCount, 0);
  for (const std::uint32_t component : surface.componentOfWelded)
    ++sizes[component];
  const auto largest =
      static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  const std::vector<bool> open = openComponents(surface);
  const std::vector<bool> anchored = anchoredComponents(surface, initial);
  std::size_t blind = 0;
  std::size_t pieces = 0;
  for (std::size_t component = 0; component < sizes.size(); ++component) {
    if (!anchored[component]) blind += sizes[component];
    if (open[component] && component != largest) pieces += sizes[component];
  }
  const auto all = static_cast<double>(surface.positions.size());
  const bool serves = static_cast<double>(blind) <= kMaxBlind * all &&
                      static_cast<double>(pieces) <= kMaxPieces * all;
  return !serves && chooseCellSize(surface);
}

SurfaceWeights proxyWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                            const WeightOptions& options,
                            std::span<const std::uint32_t> jointOfBone, WeightReport& report,
                            ProgressMeter& meter) {
  meter.startStage("making the voxel proxy", kProxyEnd,
                   2 * (voxelSolidPieces(surface) + kVoxelProxyPieces));
  const auto start = Clock::now();
  const std::optional<float> cell = chooseCellSize(surface);
  const Proxy made = cell ? makeProxy(surface, bones, *cell, meter) : Proxy{};
  const WeightSurface& proxy = made.surface;
  if (proxy.triangles.empty())
    throw inputError("mesh", "its parts are too far from one another for voxels",
                     "look for stray triangles, or solve on the mesh itself (proxy none)");
  report.proxyCell = made.cell;
  report.proxyVertices = proxy.positions.size();
  report.proxySeconds = secondsSince(start);

  const SurfaceWeights solved =
      surfaceWeights(proxy, bones, initialWeights(proxy, bones, options, report, meter), options,
                     jointOfBone, report, meter);

  InitialWeights initial = transferred(surface, proxy, solved.weights);
  std::uint32_t columns = 0;
  for (const Influence& influence : initial.values)
    columns = std::max(columns, influence.joint + 1);
  const double length = kSmoothing * static_cast<double>(report.proxyCell);
  initial.anchoring.assign(surface.positions.size(), 1.0 / (length * length));
  SurfaceWeights out;
  DiffusionTimes times;
  out.weights = weightsOfField(diffuse(surface, initial, columns, times, &meter));
  report.factorSeconds += times.factorSeconds;
  report.solveSeconds += times.solveSeconds;
  out.fallbacks.assign(surface.positions.size(), WeightFallback::none);
  return out;
}

} // namespace sinew
