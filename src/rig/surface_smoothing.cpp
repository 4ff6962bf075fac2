#include "rig/surface_smoothing.h"

#include "rig/welded_vertices.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

namespace sinew {
namespace {

constexpr std::size_t kSamples = 256; // samples that interpolate the series
constexpr double kLeftOut = 1e-9;     // the sum of the coefficients that are dropped

// The series of (1 + lambda (1 + t))^-rounds for t in [-1, 1], by interpolation at Chebyshev
// points, without the trailing coefficients that add up to nothing.
std::vector<double> chebyshevSeries(SmoothingStrength strength) {
  // Cosines of the multiples of pi / (2 kSamples): all angles below are among them.
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
  std::vector<std::uint32_t> indexByPoint(surface.pointCount(), kNone);
  for (std::uint32_t i = 0; i < out.points.size(); ++i)
    indexByPoint[out.points[i]] = i;
  out.within.push_back(out.points.size());
  for (std::size_t first = 0; out.within.size() <= edges; first = out.within.end()[-2]) {
    for (std::size_t i = first; i < out.within.back(); ++i)
      for (const std::uint32_t other : surface.neighbours(out.points[i])) {
        if (indexByPoint[other] != kNone) continue;
        indexByPoint[other] = static_cast<std::uint32_t>(out.points.size());
        out.points.push_back(other);
      }
    out.within.push_back(out.points.size());
  }
  std::vector<std::uint32_t> known;
  for (std::uint32_t i = 0; i < out.points.size(); ++i) {
    const auto near = surface.neighbours(out.points[i]);
    known.clear();
    for (const std::uint32_t other : near)
      if (indexByPoint[other] != kNone) known.push_back(indexByPoint[other]);
    if (near.empty()) known.push_back(i); // alone: L is 0
    out.neighbours.append(known);
    out.neighbourFraction.push_back(1.0 /
                                    static_cast<double>(std::max<std::size_t>(near.size(), 1)));
  }
  return out;
}

// The mean of the neighbours' values.
template <std::size_t kWidth>
std::array<double, kWidth> averageAround(const Reach& reach, std::size_t point,
                                         const std::vector<double>& values) {
  std::array<double, kWidth> out{};
  for (const std::uint32_t other : reach.neighbours.of(point)) {
    const double* in = values.data() + kWidth * other;
    for (std::size_t i = 0; i < kWidth; ++i)
      out[i] += in[i];
  }
  for (double& each : out)
    each *= reach.neighbourFraction[point];
  return out;
}

// T_k of a series, and the sum of the terms so far.
struct SeriesValues {
  std::vector<double> before, now, next, sum;
};

// From T_k-1 and T_k at the neighbours T_k+1 at a point, which it adds to the sum. A function of
// its own: browsers run the slow code of one that runs until it is called again.
template <std::size_t kWidth>
[[gnu::noinline]] void addTerm(const Reach& reach, std::size_t point, double coefficient,
                               SeriesValues& values) {
  const std::array<double, kWidth> average = averageAround<kWidth>(reach, point, values.now);
  const std::size_t first = kWidth * point;
  for (std::size_t i = 0; i < kWidth; ++i) {
    const double next = -2.0 * average[i] - values.before[first + i];
    values.next[first + i] = next;
    values.sum[first + i] += coefficient * next;
  }
}

// T_k(-A) of the values: T_0 = 1, T_1 = -A, T_k+1 = -2 A T_k - T_k-1. T_k is 0 beyond k edges.
template <std::size_t kWidth>
void addSeries(const Reach& reach, std::span<const double> series, std::vector<double>& sum) {
  sum.resize(kWidth * reach.points.size(), 0.0);
  SeriesValues values{sum, std::vector<double>(sum.size()), std::vector<double>(sum.size()),
                      std::move(sum)};
  for (std::size_t point = 0; point < reach.within[1]; ++point) {
    const std::array<double, kWidth> average = averageAround<kWidth>(reach, point, values.before);
    for (std::size_t i = kWidth * point; i < kWidth * (point + 1); ++i) {
      values.now[i] = -average[i - kWidth * point];
      values.sum[i] =
          series[0] * values.before[i] + (series.size() > 1 ? series[1] * values.now[i] : 0.0);
    }
  }
  for (std::size_t k = 2; k < series.size(); ++k) {
    for (std::size_t point = 0; point < reach.within[k]; ++point)
      addTerm<kWidth>(reach, point, series[k], values);
    std::swap(values.before, values.now);
    std::swap(values.now, values.next);
  }
  sum = std::move(values.sum);
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
  // All triangles are visited, so an edge is met several times.
  const auto met = gatherLists<std::uint32_t>(pointCount(), [&](const auto& each) {
    for (const Triangle& t : rig.triangles)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t a = pointOf_[t[c]], b = pointOf_[t[(c + 1) % 3]];
        if (a == b) continue;
        each(a, b);
        each(b, a);
      }
  });
  std::vector<std::uint32_t> near;
  for (std::size_t point = 0; point < pointCount(); ++point) {
    const auto all = met.of(point);
    near.assign(all.begin(), all.end());
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
    neighbours_.append(near);
  }
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
  assert(width == 1 || width == 4 || width == 10);
  const auto add = width == 1 ? addSeries<1> : width == 4 ? addSeries<4> : addSeries<10>;
  add(reach, series, local.values);
  return {std::move(reach.points), std::move(local.values)};
}

} // namespace sinew
