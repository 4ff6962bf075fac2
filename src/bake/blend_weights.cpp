#include "bake/blend_weights.h"

#include <Eigen/Cholesky>

#include <limits>
#include <vector>

namespace sinew {
namespace {

using Set = std::vector<int>; // indices of candidates

double computeCost(const BlendMatrix& H, const BlendVector& c, const BlendVector& w) {
  return w.dot(H * w) - 2.0 * c.dot(w);
}

// The least over these candidates with the sum alone as a constraint.
BlendVector leastOver(const BlendMatrix& H, const BlendVector& c, const Set& set) {
  const auto n = static_cast<Eigen::Index>(set.size());
  BlendMatrix part(n, n);
  BlendVector side(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    side[i] = c[set[static_cast<std::size_t>(i)]];
    for (Eigen::Index k = 0; k < n; ++k)
      part(i, k) = H(set[static_cast<std::size_t>(i)], set[static_cast<std::size_t>(k)]);
  }
  const Eigen::LDLT<BlendMatrix> factor(part);
  const BlendVector free = factor.solve(side);
  const BlendVector ones = factor.solve(BlendVector::Ones(n));
  return free + ones * ((1.0 - free.sum()) / ones.sum());
}

// Weights of the allowed candidates, none below 0.
BlendVector leastPositive(const BlendMatrix& H, const BlendVector& c, const Set& allowed) {
  BlendVector w = BlendVector::Zero(H.rows());
  int best = allowed.front();
  for (const int i : allowed)
    if (H(i, i) - 2.0 * c[i] < H(best, best) - 2.0 * c[best]) best = i;
  w[best] = 1.0;
  Set set{best};
  const double tolerance = 1e-12 * H.trace();
  for (std::size_t round = 0; round < 8 * allowed.size(); ++round) {
    // Steps to the least over the set, or until a weight reaches 0; such weights leave the set.
    for (std::size_t step = 0; step <= allowed.size(); ++step) {
      const BlendVector z = leastOver(H, c, set);
      double t = 1.0;
      for (std::size_t i = 0; i < set.size(); ++i)
        if (const double from = w[set[i]], to = z[static_cast<Eigen::Index>(i)]; to <= 0.0)
          t = std::min(t, from / (from - to));
      Set rest;
      for (std::size_t i = 0; i < set.size(); ++i) {
        double& value = w[set[i]];
        value += t * (z[static_cast<Eigen::Index>(i)] - value);
        if (value > 1e-15)
          rest.push_back(set[i]);
        else
          value = 0.0;
      }
      const bool whole = rest.size() == set.size();
      set = rest;
      if (whole || set.size() == 1) break;
    }
    w /= w.sum();
    // The candidate whose weight would lower the cost most by growing.
    const BlendVector gradient = H * w - c;
    const double level = w.dot(gradient);
    int next = -1;
    double least = level - tolerance;
    for (const int i : allowed)
      if (w[i] == 0.0 && gradient[i] < least) {
        least = gradient[i];
        next = i;
      }
    if (next < 0) break;
    set.push_back(next);
  }
  return w;
}

Set usedBy(const BlendVector& w) {
  Set out;
  for (int i = 0; i < w.size(); ++i)
    if (w[i] > 0.0) out.push_back(i);
  return out;
}

} // namespace

BlendVector solveBlend(const BlendMatrix& H, const BlendVector& c, std::uint32_t limit) {
  Set all;
  for (int i = 0; i < H.rows(); ++i)
    all.push_back(i);
  BlendVector w = leastPositive(H, c, all);
  for (Set used = usedBy(w); used.size() > limit; used = usedBy(w)) {
    BlendVector best;
    double least = std::numeric_limits<double>::max();
    for (std::size_t without = 0; without < used.size(); ++without) {
      Set rest = used;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(without));
      const BlendVector other = leastPositive(H, c, rest);
      const double cost = computeCost(H, c, other);
      if (best.size() > 0 && cost >= least) continue;
      least = cost;
      best = other;
    }
    w = best;
  }
  return w;
}

} // namespace sinew
