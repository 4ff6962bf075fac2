#include "weights/combine_weights.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr float kNoWeight = 1e-6f; // a sum of weights below it is rounding

void scaleAll(std::vector<Influence>& weights, float factor) {
  for (Influence& each : weights)
    each.weight *= factor;
}

} // namespace

std::vector<Influence> combinedWeights(std::span<const Influence> own,
                                       std::span<const Influence> fresh,
                                       const WeightChoice& choice) {
  std::vector<Influence> chosen, others;
  const auto take = [&](std::uint32_t joint, float weight) {
    if (!(weight > 0.0f)) return;
    const auto same = std::ranges::find(chosen, joint, &Influence::joint);
    if (same == chosen.end())
      chosen.push_back({joint, weight});
    else
      same->weight += weight;
  };
  float othersSum = 0.0f;
  for (const Influence& each : own) {
    if (choice.has(each.joint)) {
      take(each.joint, (1.0f - choice.mix) * each.weight);
    } else {
      others.push_back(each);
      othersSum += each.weight;
    }
  }
  for (const Influence& each : fresh)
    if (choice.has(each.joint)) take(each.joint, choice.mix * each.weight);
  float chosenSum = 0.0f;
  for (const Influence& each : chosen)
    chosenSum += each.weight;
  if (!(othersSum > kNoWeight)) {
    if (!(chosenSum > kNoWeight)) return {own.begin(), own.end()};
    scaleAll(chosen, 1.0f / chosenSum);
    return chosen;
  }
  const float left = std::max(1.0f - chosenSum, 0.0f);
  scaleAll(others, left / othersSum);
  if (left > kNoWeight) chosen.insert(chosen.end(), others.begin(), others.end());
  return chosen;
}

} // namespace sinew
