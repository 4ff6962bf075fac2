#include "check/fault_view.h"

#include "weights/visibility.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr int kYaws = 24;
constexpr float kPitches[] = {10.0f, 25.0f, 45.0f};
constexpr std::size_t kSamples = 200; // vertices, at most
// What a view from further above has to show more of: it shows less of the character's pose.
constexpr float kTilted = 1.05f;

vec3 computeDirection(const ViewAngles& view) {
  const float yaw = glm::radians(view.yaw), pitch = glm::radians(view.pitch);
  return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
}

bool finite(const vec3& a) {
  return std::isfinite(glm::dot(a, a));
}

} // namespace

ViewAngles viewOfFault(std::span<const vec3> wrong, std::span<const vec3> right,
                       std::span<const Triangle> triangles, std::span<const std::uint32_t> region) {
  std::vector<std::uint32_t> seen;
  const std::size_t step = region.size() / kSamples + 1;
  for (std::size_t i = 0; i < region.size(); i += step)
    if (finite(wrong[region[i]]) && finite(right[region[i]])) seen.push_back(region[i]);
  const bool same =
      std::ranges::all_of(seen, [&](std::uint32_t v) { return wrong[v] == right[v]; });
  const WeightSurface surface = makeWeightSurface(wrong, triangles);
  const SurfaceRays rays(surface);
  ViewAngles best{0.0f, kPitches[0]};
  float largest = 0.0f;
  for (const float pitch : kPitches) {
    for (int i = 0; i < kYaws; ++i) {
      const ViewAngles view{static_cast<float>(i) * 360.0f / kYaws, pitch};
      const vec3 towards = computeDirection(view);
      float shown = 0.0f;
      for (const std::uint32_t v : seen) {
        const vec3 way = wrong[v] - right[v];
        const float across = same ? 1.0f : glm::length(way - towards * glm::dot(way, towards));
        if (across > 0.0f && !rays.blocked(wrong[v], wrong[v] + 2.0f * surface.size * towards))
          shown += across;
      }
      if (!(shown > (pitch > best.pitch ? kTilted : 1.001f) * largest)) continue;
      largest = shown;
      best = view;
    }
  }
  return best;
}

} // namespace sinew
