#include "weights/heat_initial_weights.h"

#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr float kEqualDistance = 1.0001f;
constexpr float kMinDistance = 1e-4f; // of the size: smaller distances count as this
constexpr std::size_t kVerticesInPiece = 2048;

std::size_t piecesOf(std::size_t count) {
  return std::max<std::size_t>((count + kVerticesInPiece - 1) / kVerticesInPiece, 1);
}

struct NearestBones {
  double anchoring = 0.0;
  std::vector<Influence> bones;
};

// `order` is a buffer.
NearestBones nearestBones(const WeightSurface& surface, std::span<const BoneSegment> bones,
                          const SurfaceRays* rays, std::size_t welded,
                          std::vector<std::pair<float, std::uint32_t>>& order) {
  const vec3& at = surface.positions[welded];
  order.clear();
  for (std::uint32_t b = 0; b < bones.size(); ++b)
    order.emplace_back(glm::length(nearestPoint(bones[b], at) - at), b);
  std::sort(order.begin(), order.end());
  NearestBones out;
  float limit = std::numeric_limits<float>::infinity();
  for (const auto& [distance, bone] : order) {
    if (distance > limit) break;
    if (rays != nullptr && rays->blocked(at, nearestPoint(bones[bone], at))) continue;
    if (out.bones.empty()) {
      const double distanceOrLeast = std::max(distance, kMinDistance * surface.size);
      out.anchoring = 1.0 / (distanceOrLeast * distanceOrLeast);
      limit = distance * kEqualDistance;
    }
    out.bones.push_back({bone, 0.0f});
  }
  for (Influence& share : out.bones)
    share.weight = 1.0f / static_cast<float>(out.bones.size());
  return out;
}

} // namespace

InitialWeights heatInitialWeights(const WeightSurface& surface, std::span<const BoneSegment> bones,
                                  const SurfaceRays* rays, ProgressMeter* meter, float stageEnd) {
  std::vector<NearestBones> nearest(surface.positions.size());
  if (meter != nullptr)
    meter->startStage("looking for the nearest visible bones", stageEnd, piecesOf(nearest.size()));
  forEachPieceInParallel(nearest.size(), kVerticesInPiece,
                         [&](std::size_t first, std::size_t last) {
                           std::vector<std::pair<float, std::uint32_t>> order;
                           for (std::size_t p = first; p < last; ++p)
                             nearest[p] = nearestBones(surface, bones, rays, p, order);
                           if (meter != nullptr) meter->piece();
                         });
  InitialWeights out;
  out.anchoring.reserve(nearest.size());
  out.offsets.reserve(nearest.size() + 1);
  for (const NearestBones& each : nearest) {
    out.anchoring.push_back(each.anchoring);
    out.append(each.bones);
  }
  return out;
}

} // namespace sinew
