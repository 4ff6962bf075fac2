#include "weights/heat_initial_weights.h"

#include "core/parallel.h"
#include "weights/inside.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace sinew {
namespace {

constexpr float kEqualDistance = 1.0001f;
constexpr float kMinDistance = 1e-4f; // of the size: smaller distances count as this
constexpr std::size_t kVerticesInPiece = 2048;

std::size_t countPieces(std::size_t count) {
  return std::max<std::size_t>((count + kVerticesInPiece - 1) / kVerticesInPiece, 1);
}

struct NearestBones {
  double anchoring = 0.0;
  std::vector<Influence> bones;
};

using Order = std::vector<std::pair<float, std::uint32_t>>;
using Hides = std::function<bool(std::uint32_t welded, std::uint32_t bone)>;

// `order` is a buffer.
NearestBones nearestBones(const WeightSurface& surface, std::span<const BoneSegment> bones,
                          std::uint32_t welded, const Hides& hides, Order& order) {
  const vec3& at = surface.positions[welded];
  order.clear();
  for (std::uint32_t b = 0; b < bones.size(); ++b)
    order.emplace_back(glm::length(nearestPoint(bones[b], at) - at), b);
  std::sort(order.begin(), order.end());
  NearestBones out;
  float limit = std::numeric_limits<float>::infinity();
  for (const auto& [distance, bone] : order) {
    if (distance > limit) break;
    if (hides(welded, bone)) continue;
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
    meter->startStage("looking for the nearest visible bones", stageEnd,
                      countPieces(nearest.size()));
  const auto onBone = [&](std::uint32_t welded, std::uint32_t bone) {
    return nearestPoint(bones[bone], surface.positions[welded]);
  };
  const Hides fromAnywhere = [&](std::uint32_t welded, std::uint32_t bone) {
    return rays != nullptr && rays->blocked(surface.positions[welded], onBone(welded, bone));
  };
  const SurfaceSides sides(surface);
  const Hides fromWithin = [&](std::uint32_t welded, std::uint32_t bone) {
    return (rays != nullptr && !sides.leadsInside(welded, onBone(welded, bone))) ||
           fromAnywhere(welded, bone);
  };
  forEachPieceInParallel(
      nearest.size(), kVerticesInPiece, [&](std::size_t first, std::size_t last) {
        Order order;
        for (std::size_t p = first; p < last; ++p) {
          const auto welded = static_cast<std::uint32_t>(p);
          nearest[p] = nearestBones(surface, bones, welded, fromWithin, order);
          if (nearest[p].bones.empty())
            nearest[p] = nearestBones(surface, bones, welded, fromAnywhere, order);
        }
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
