#include "weights/initial_weights.h"

#include "core/parallel.h"
#include "weights/triangle_tree.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

constexpr float kEqualDistance = 1.0001f;
constexpr float kMinDistance = 1e-4f; // share of the surface's size; less counts as this
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

// Two triangles whose distances differ by less share the nearest point.
constexpr float kSameDistance = 1e-4f; // share of the step

// A triangle seen from a point near it.
struct Seen {
  float distance = std::numeric_limits<float>::infinity();
  float side = 0.0f; // sine of the angle above the triangle's plane, positive outside
};

Seen see(const WeightSurface& surface, const Triangle& t, const vec3& point) {
  const vec3& a = surface.positions[t[0]];
  const vec3& b = surface.positions[t[1]];
  const vec3& c = surface.positions[t[2]];
  const vec3 corners = closestBarycentric(point, a, b, c);
  const vec3 apart = point - (corners.x * a + corners.y * b + corners.z * c);
  const float distance = glm::length(apart);
  const vec3 normal = glm::cross(b - a, c - a);
  const float both = glm::length(normal) * distance;
  return {distance, both > 0.0f ? glm::dot(normal, apart) / both : 0.0f};
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

SurfaceSides::SurfaceSides(const WeightSurface& surface)
    : surface_(surface), offsets_(surface.positions.size() + 1, 0) {
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t v : t)
      ++offsets_[v + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  triangles_.resize(offsets_.back());
  std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::uint32_t v : surface.triangles[t])
      triangles_[next[v]++] = t;
}

bool SurfaceSides::leadsInside(std::uint32_t welded, const vec3& to) const {
  const vec3& at = surface_.positions[welded];
  const float length = glm::length(to - at);
  if (!(length > 0.0f) || offsets_[welded] == offsets_[welded + 1]) return true;
  float step = length;
  for (std::uint32_t i = offsets_[welded]; i < offsets_[welded + 1]; ++i)
    for (const std::uint32_t v : surface_.triangles[triangles_[i]])
      if (v != welded) step = std::min(step, 0.25f * glm::length(surface_.positions[v] - at));
  const vec3 point = at + (step / length) * (to - at);
  // Where the nearest point is on an edge or at the vertex, several triangles have it: the one that
  // the point is most squarely above or below has the side.
  Seen best;
  for (std::uint32_t i = offsets_[welded]; i < offsets_[welded + 1]; ++i) {
    const Seen seen = see(surface_, surface_.triangles[triangles_[i]], point);
    const float nearer = best.distance - seen.distance;
    if (nearer > kSameDistance * step ||
        (nearer > -kSameDistance * step && std::abs(seen.side) > std::abs(best.side)))
      best = seen;
  }
  return best.side <= 0.0f;
}

} // namespace sinew
