#include "weights/pruning.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Fading equal weights leaves only rounding errors: below this fraction they count as equal.
constexpr double kEqual = 1e-4;

double sumWeights(const std::vector<Influence>& weights) {
  double sum = 0.0;
  for (const Influence& w : weights)
    sum += static_cast<double>(w.weight);
  return sum;
}

void scaleToOne(std::vector<Influence>& weights) {
  const double sum = sumWeights(weights);
  for (Influence& w : weights)
    w.weight = static_cast<float>(static_cast<double>(w.weight) / sum);
}

// Drops weights that become 0.
void fade(std::vector<Influence>& weights, float by) {
  const double before = sumWeights(weights);
  std::vector<Influence> faded;
  for (const Influence& w : weights)
    if (w.weight > by) faded.push_back({w.joint, w.weight - by});
  if (sumWeights(faded) > kEqual * before) weights = std::move(faded);
}

} // namespace

void reduceSmallWeights(std::vector<Influence>& weights, float limit) {
  const double sum = sumWeights(weights);
  for (Influence& w : weights)
    w.weight *= std::min(1.0f, static_cast<float>(static_cast<double>(w.weight) / sum) / limit);
}

float pruneWeights(std::vector<Influence>& weights, std::uint32_t maxInfluences, Pruning pruning) {
  std::sort(weights.begin(), weights.end(), [](const Influence& a, const Influence& b) {
    return std::pair(-a.weight, a.joint) < std::pair(-b.weight, b.joint);
  });
  scaleToOne(weights);
  if (maxInfluences == 0 || weights.size() <= maxInfluences) return 0.0f;
  const std::vector<Influence> before = weights;
  weights.resize(maxInfluences);
  if (pruning == Pruning::faded) fade(weights, before[maxInfluences].weight);
  scaleToOne(weights);
  // The order is unchanged: the kept ones are the first.
  double moved = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i)
    moved += std::abs(static_cast<double>(before[i].weight) -
                      (i < weights.size() ? static_cast<double>(weights[i].weight) : 0.0));
  return static_cast<float>(0.5 * moved);
}

} // namespace sinew
