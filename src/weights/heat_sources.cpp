#include "core/parallel.h"
#include "weights/sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr float kTie = 1.0001f;
constexpr float kNearest = 1e-4f; // of the size: nearer than this holds no firmer
constexpr std::size_t kPiece = 2048;

std::size_t piecesOf(std::size_t places) {
  return std::max<std::size_t>((places + kPiece - 1) / kPiece, 1);
}

struct PlaceSource {
  double hold = 0.0;
  std::vector<Influence> bones;
};

// The nearest visible bones. `order` is a buffer.
PlaceSource nearestBones(const WeightSurface& surface, std::span<const BoneSegment> bones,
                         const SurfaceRays* rays, std::size_t place,
                         std::vector<std::pair<float, std::uint32_t>>& order) {
  const vec3& at = surface.positions[place];
  order.clear();
  for (std::uint32_t b = 0; b < bones.size(); ++b)
    order.emplace_back(glm::length(nearestPoint(bones[b], at) - at), b);
  std::sort(order.begin(), order.end());
  PlaceSource out;
  float limit = std::numeric_limits<float>::infinity();
  for (const auto& [distance, bone] : order) {
    if (distance > limit) break;
    if (rays != nullptr && rays->blocked(at, nearestPoint(bones[bone], at))) continue;
    if (out.bones.empty()) {
      const double held = std::max(distance, kNearest * surface.size);
      out.hold = 1.0 / (held * held);
      limit = distance * kTie;
    }
    out.bones.push_back({bone, 0.0f});
  }
  for (Influence& share : out.bones)
    share.weight = 1.0f / static_cast<float>(out.bones.size());
  return out;
}

} // namespace

WeightSources heatSources(const WeightSurface& surface, std::span<const BoneSegment> bones,
                          const SurfaceRays* rays, ProgressMeter* meter, float stageEnd) {
  std::vector<PlaceSource> places(surface.positions.size());
  if (meter != nullptr)
    meter->startStage("looking for the nearest visible bones", stageEnd, piecesOf(places.size()));
  forEachPieceInParallel(places.size(), kPiece, [&](std::size_t first, std::size_t last) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::size_t p = first; p < last; ++p)
      places[p] = nearestBones(surface, bones, rays, p, order);
    if (meter != nullptr) meter->piece();
  });
  WeightSources out;
  out.hold.reserve(places.size());
  out.offsets.reserve(places.size() + 1);
  for (const PlaceSource& place : places) {
    out.hold.push_back(place.hold);
    out.values.insert(out.values.end(), place.bones.begin(), place.bones.end());
    out.offsets.push_back(static_cast<std::uint32_t>(out.values.size()));
  }
  return out;
}

} // namespace sinew
