#include "app/difference.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {

Difference computeDifference(std::span<const vec3> places, std::span<const vec3> reference,
                             float size) {
  assert(places.size() == reference.size());
  Difference out;
  out.shares.reserve(places.size());
  const float perSize = size > 0.0f ? 1.0f / size : 0.0f;
  double sum = 0.0;
  for (std::size_t v = 0; v < places.size(); ++v) {
    const float share = perSize * glm::length(places[v] - reference[v]);
    out.shares.push_back(share);
    out.largest = std::max(out.largest, share);
    sum += static_cast<double>(share);
  }
  if (!places.empty()) out.mean = static_cast<float>(sum / static_cast<double>(places.size()));
  return out;
}

float scaleEndFor(float largest) {
  constexpr float kLeast = 1e-4f;
  if (largest <= kLeast) return kLeast;
  const float decade = std::pow(10.0f, std::floor(std::log10(largest)));
  for (const float step : {1.0f, 2.0f, 5.0f})
    if (largest <= step * decade * (1.0f + 1e-5f)) return step * decade;
  return 10.0f * decade;
}

std::string percentText(float share) {
  const float percent = 100.0f * share;
  return fmt::format("{:.{}f} %", percent, percent >= 10.0f ? 1 : percent >= 0.1f ? 2 : 3);
}

} // namespace sinew
