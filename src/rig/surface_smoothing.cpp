#include "rig/surface_smoothing.h"

#include "rig/welded_vertices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

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

// Points by how many edges they are from the first ones, with their neighbours among them.
struct Reach {
  std::vector<std::uint32_t> points;
  std::vector<std::size_t> within;       // how many points are within 0, 1, 2 edges
  Lists<std::uint32_t> neighbours;       // indices of `points`
  std::vector<double> neighbourFraction; // 1 over the number of all neighbours
};

Reach reachFrom(const SurfaceSmoothing& surface, std::vector<std::uint32_t> points,
                std::size_t edges) {
  constexpr std::uint32_t kNone = ~0u;
  Reach out{std::move(points), {}, {}, {}};
  std::vector<std::uint32_t> indexOf(surface.pointCount(), kNone);
  for (std::uint32_t i = 0; i < out.points.size(); ++i)
    indexOf[out.points[i]] = i;
  out.within.push_back(out.points.size());
  for (std::size_t first = 0; out.within.size() <= edges; first = out.within.end()[-2]) {
    for (std::size_t i = first; i < out.within.back(); ++i)
      for (const std::uint32_t other : surface.neighbours(out.points[i])) {
        if (indexOf[other] != kNone) continue;
        indexOf[other] = static_cast<std::uint32_t>(out.points.size());
        out.points.push_back(other);
      }
    out.within.push_back(out.points.size());
  }
  std::vector<std::uint32_t> known;
  for (std::uint32_t i = 0; i < out.points.size(); ++i) {
    const auto near = surface.neighbours(out.points[i]);
    known.clear();
    for (const std::uint32_t other : near)
      if (indexOf[other] != kNone) known.push_back(indexOf[other]);
    if (near.empty()) known.push_back(i); // alone: L is 0
    out.neighbours.append(known);
    out.neighbourFraction.push_back(1.0 /
                                    static_cast<double>(std::max<std::size_t>(near.size(), 1)));
  }
  return out;
}

// The mean of the neighbours, of the first `count` points.
void average(const Reach& reach, std::size_t count, std::size_t width,
             const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t point = 0; point < count; ++point) {
    double* out = to.data() + width * point;
    std::fill_n(out, width, 0.0);
    for (const std::uint32_t other : reach.neighbours.of(point)) {
      const double* in = from.data() + width * other;
      for (std::size_t i = 0; i < width; ++i)
        out[i] += in[i];
    }
    for (std::size_t i = 0; i < width; ++i)
      out[i] *= reach.neighbourFraction[point];
  }
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

void SurfaceSmoothing::smooth(SmoothingStrength strength, std::size_t width,
                              std::vector<double>& values) const {
  LocalValues all{std::vector<std::uint32_t>(pointCount()), std::move(values)};
  std::iota(all.points.begin(), all.points.end(), 0u);
  values = smoothNear(strength, width, std::move(all)).values;
}

SurfaceSmoothing::LocalValues SurfaceSmoothing::smoothNear(SmoothingStrength strength,
                                                           std::size_t width,
                                                           LocalValues local) const {
  if (strength.rounds == 0 || strength.lambda == 0.0) return local;
  const std::vector<double> series = chebyshevSeries(strength);
  Reach reach =
      reachFrom(*this, std::move(local.points), std::max<std::size_t>(series.size() - 1, 1));
  // T_k(-A) of the values: T_0 = 1, T_1 = -A, T_k+1 = -2 A T_k - T_k-1. T_k is 0 beyond k edges.
  std::vector<double>& sum = local.values;
  sum.resize(width * reach.points.size(), 0.0);
  std::vector<double> before = sum;
  std::vector<double> now(sum.size(), 0.0);
  std::vector<double> next(sum.size(), 0.0);
  average(reach, reach.within[1], width, before, now);
  for (std::size_t i = 0; i < width * reach.within[1]; ++i) {
    now[i] = -now[i];
    sum[i] = series[0] * before[i] + (series.size() > 1 ? series[1] * now[i] : 0.0);
  }
  for (std::size_t k = 2; k < series.size(); ++k) {
    average(reach, reach.within[k], width, now, next);
    for (std::size_t i = 0; i < width * reach.within[k]; ++i) {
      next[i] = -2.0 * next[i] - before[i];
      sum[i] += series[k] * next[i];
    }
    std::swap(before, now);
    std::swap(now, next);
  }
  return {std::move(reach.points), std::move(sum)};
}

} // namespace sinew
