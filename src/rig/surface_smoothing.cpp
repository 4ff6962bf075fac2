#include "rig/surface_smoothing.h"

#include "rig/welded_vertices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr std::size_t kSamples = 256; // of the series' interpolation
constexpr double kLeftOut = 1e-9;     // the sum of the coefficients that are dropped

// Of (1 + lambda (1 + t))^-rounds for t in [-1, 1], by interpolation at Chebyshev points; without
// the trailing ones that add up to nothing.
std::vector<double> chebyshevSeries(SmoothingStrength strength) {
  // Of the multiples of pi / (2 kSamples): all angles below are among them.
  std::array<double, std::size_t{4} * kSamples> cosines{};
  for (std::size_t i = 0; i < cosines.size(); ++i)
    cosines[i] = std::cos(std::numbers::pi * static_cast<double>(i) / (2.0 * kSamples));
  std::vector<double> series(kSamples, 0.0);
  for (std::size_t i = 0; i < kSamples; ++i) {
    const std::size_t angle = 2 * i + 1;
    const double value = std::pow(1.0 + strength.lambda * (1.0 + cosines[angle]), -strength.rounds);
    for (std::size_t k = 0; k < kSamples; ++k)
      series[k] += (k == 0 ? 1.0 : 2.0) / kSamples * value * cosines[k * angle % cosines.size()];
  }
  double left = 0.0;
  while (series.size() > 1 && left + std::abs(series.back()) < kLeftOut) {
    left += std::abs(series.back());
    series.pop_back();
  }
  return series;
}

} // namespace

SurfaceSmoothing::SurfaceSmoothing(const Rig& rig) : pointOf_(rig.positions.size()) {
  const std::vector<std::uint32_t> welded = weldVertices(rig);
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    if (welded[v] == v) {
      pointOf_[v] = static_cast<std::uint32_t>(vertexAt_.size());
      vertexAt_.push_back(v);
    } else {
      pointOf_[v] = pointOf_[welded[v]];
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // both ways
  for (const Triangle& t : rig.triangles)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t a = pointOf_[t[c]], b = pointOf_[t[(c + 1) % 3]];
      if (a == b) continue;
      edges.emplace_back(a, b);
      edges.emplace_back(b, a);
    }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  neighbours_ = gatherLists<std::uint32_t>(pointCount(), [&](const auto& each) {
    for (const auto& [a, b] : edges)
      each(a, b);
  });
}

void SurfaceSmoothing::average(std::size_t width, const std::vector<double>& from,
                               std::vector<double>& to) const {
  for (std::size_t point = 0; point < pointCount(); ++point) {
    const auto near = neighbours_.of(point);
    double* out = to.data() + width * point;
    if (near.empty()) { // alone: L is 0
      std::copy_n(from.data() + width * point, width, out);
      continue;
    }
    std::fill_n(out, width, 0.0);
    for (const std::uint32_t other : near)
      for (std::size_t i = 0; i < width; ++i)
        out[i] += from[width * other + i];
    for (std::size_t i = 0; i < width; ++i)
      out[i] /= static_cast<double>(near.size());
  }
}

void SurfaceSmoothing::smooth(SmoothingStrength strength, std::size_t width,
                              std::vector<double>& values) const {
  if (strength.rounds == 0 || strength.lambda == 0.0) return;
  const std::vector<double> series = chebyshevSeries(strength);
  // T_k(-A) of the values: T_0 = 1, T_1 = -A, T_k+1 = -2 A T_k - T_k-1.
  std::vector<double> before = values;
  std::vector<double> now(values.size());
  std::vector<double> next(values.size());
  average(width, before, now);
  for (std::size_t i = 0; i < values.size(); ++i) {
    now[i] = -now[i];
    values[i] = series[0] * before[i] + (series.size() > 1 ? series[1] * now[i] : 0.0);
  }
  for (std::size_t k = 2; k < series.size(); ++k) {
    average(width, now, next);
    for (std::size_t i = 0; i < values.size(); ++i) {
      next[i] = -2.0 * next[i] - before[i];
      values[i] += series[k] * next[i];
    }
    std::swap(before, now);
    std::swap(now, next);
  }
}

} // namespace sinew
