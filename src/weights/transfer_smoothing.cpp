#include "weights/transfer_smoothing.h"

#include "core/lists.h"
#include "core/parallel.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace sinew {
namespace {

constexpr float kSmoothingStep = 0.2f; // as in the authors' program
constexpr float kLeastSpread = 1e-6f;  // what has spread farther than that is dropped

Lists<std::uint32_t> neighboursAlongEdges(const WeightSurface& surface) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(6 * surface.triangles.size());
  for (const Triangle& t : surface.triangles)
    for (std::size_t c = 0; c < 3; ++c) {
      edges.emplace_back(t[c], t[(c + 1) % 3]);
      edges.emplace_back(t[(c + 1) % 3], t[c]);
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Lists<std::uint32_t> out;
  for (std::size_t e = 0, p = 0; p < surface.positions.size(); ++p) {
    for (; e < edges.size() && edges[e].first == p; ++e)
      out.values.push_back(edges[e].second);
    out.endList();
  }
  return out;
}

void addScaled(std::vector<Influence>& to, std::span<const Influence> from, float factor) {
  for (const Influence& each : from) {
    const auto same = std::ranges::find(to, each.joint, &Influence::joint);
    if (same == to.end())
      to.push_back({each.joint, factor * each.weight});
    else
      same->weight += factor * each.weight;
  }
}

float weightSum(std::span<const Influence> weights) {
  float sum = 0.0f;
  for (const Influence& each : weights)
    sum += each.weight;
  return sum;
}

std::vector<Influence> smoothedVertex(std::span<const Influence> own,
                                      std::span<const std::uint32_t> neighbours,
                                      const std::vector<std::vector<Influence>>& weights) {
  std::vector<Influence> out;
  addScaled(out, own, 1.0f - kSmoothingStep);
  // Inpainted weights need not sum to 1: each counts as much as the others.
  const float sum = weightSum(own);
  for (const std::uint32_t neighbour : neighbours)
    if (const float theirs = weightSum(weights[neighbour]); theirs > 0.0f)
      addScaled(out, weights[neighbour],
                kSmoothingStep * sum / (theirs * static_cast<float>(neighbours.size())));
  std::erase_if(out, [&](const Influence& each) { return !(each.weight > kLeastSpread * sum); });
  return out;
}

} // namespace

std::vector<bool> grownBy(const WeightSurface& surface, std::vector<bool> chosen, float distance) {
  const Lists<std::uint32_t> neighbours = neighboursAlongEdges(surface);
  std::vector<float> reached(chosen.size(), std::numeric_limits<float>::infinity());
  using Reached = std::pair<float, std::uint32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  for (std::uint32_t p = 0; p < chosen.size(); ++p)
    if (chosen[p]) next.emplace(reached[p] = 0.0f, p);
  while (!next.empty()) {
    const auto [length, p] = next.top();
    next.pop();
    if (length > reached[p]) continue;
    chosen[p] = true;
    for (const std::uint32_t other : neighbours.of(p)) {
      const float along = length + glm::distance(surface.positions[p], surface.positions[other]);
      if (along > distance || !(along < reached[other])) continue;
      reached[other] = along;
      next.emplace(along, other);
    }
  }
  return chosen;
}

void smoothWeights(const WeightSurface& surface, const std::vector<bool>& chosen,
                   std::uint32_t steps, std::vector<std::vector<Influence>>& weights) {
  const Lists<std::uint32_t> neighbours = neighboursAlongEdges(surface);
  for (std::uint32_t step = 0; step < steps; ++step) {
    std::vector<std::vector<Influence>> after(weights.size());
    forEachPieceInParallel(weights.size(), 1024, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p)
        after[p] = chosen[p] && !neighbours.of(p).empty()
                       ? smoothedVertex(weights[p], neighbours.of(p), weights)
                       : weights[p];
    });
    weights = std::move(after);
  }
}

} // namespace sinew
