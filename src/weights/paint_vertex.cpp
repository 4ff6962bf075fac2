#include "weights/paint_vertex.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kLeast = 1e-6; // smaller weights count as 0

struct Share {
  std::uint32_t item;
  double weight;
};

double sumShares(const std::vector<Share>& shares) {
  double sum = 0.0;
  for (const Share& share : shares)
    sum += share.weight;
  return sum;
}

// The largest `room` shares, scaled to sum to `rest`; no shares below the least weight.
void fit(std::vector<Share>& shares, std::size_t room, double rest) {
  const auto scale = [&] {
    const double sum = sumShares(shares);
    for (Share& share : shares)
      share.weight *= rest / sum;
  };
  if (shares.empty()) return;
  scale();
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.weight > b.weight; });
  while (shares.size() > 1 && (shares.size() > room || shares.back().weight < kLeast))
    shares.pop_back();
  scale();
}

// The locked weights unchanged, and the shares as floats; the largest share takes the rounding
// error.
std::vector<Influence> combined(const std::vector<Influence>& before, const PaintRules& rules,
                                const std::vector<Share>& shares) {
  std::vector<Influence> out;
  double sum = 0.0;
  for (const Share& share : shares) {
    out.push_back({share.item, static_cast<float>(share.weight)});
    sum += static_cast<double>(out.back().weight);
  }
  const std::size_t free = out.size();
  for (const Influence& influence : before)
    if (rules.isLocked(influence.joint)) {
      out.push_back(influence);
      sum += static_cast<double>(influence.weight);
    }
  const auto largest =
      std::max_element(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(free),
                       [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
  if (free > 0)
    largest->weight = static_cast<float>(static_cast<double>(largest->weight) + 1.0 - sum);
  std::stable_sort(out.begin(), out.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  return out;
}

} // namespace

bool sameInfluences(std::span<const Influence> a, std::span<const Influence> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Influence& x, const Influence& y) {
                      return x.joint == y.joint && x.weight == y.weight;
                    });
}

bool setWeight(std::vector<Influence>& weights, std::uint32_t item, float target,
               std::uint32_t fallbackJoint, const PaintRules& rules) {
  if (rules.isLocked(item)) return false;
  double free = 1.0;
  std::size_t room = rules.maxInfluences;
  std::vector<Share> others;
  float now = 0.0f;
  for (const Influence& influence : weights) {
    if (rules.isLocked(influence.joint)) {
      free -= static_cast<double>(influence.weight);
      if (room > 0) --room;
    } else if (influence.joint == item) {
      now = influence.weight;
    } else {
      others.push_back({influence.joint, static_cast<double>(influence.weight)});
    }
  }
  if (room == 0 || free < kLeast) return false;
  double own = std::clamp(static_cast<double>(target), 0.0, free);
  if (own < kLeast) own = 0.0;
  if (free - own < kLeast) own = free;
  const bool fits = others.size() + (now > 0.0f ? 1 : 0) <= room;
  if (fits && std::abs(own - static_cast<double>(now)) < kLeast) return false;
  if (own < free && others.empty()) {
    const bool hasFallback =
        fallbackJoint != kNoEntry && fallbackJoint != item && !rules.isLocked(fallbackJoint);
    if (hasFallback)
      others.push_back({fallbackJoint, 1.0});
    else
      own = free;
  }
  if (own == free) others.clear();
  if (own > 0.0 && room == 1 && !others.empty()) { // room for one: the larger takes all
    fit(others, room, free - own);
    if (own >= others[0].weight) {
      own = free;
      others.clear();
    } else {
      own = 0.0;
    }
  }
  fit(others, own > 0.0 ? room - 1 : room, free - own);
  if (own > 0.0) others.push_back({item, own});
  std::vector<Influence> out = combined(weights, rules, others);
  if (sameInfluences(out, weights)) return false;
  weights = std::move(out);
  return true;
}

bool mixWeights(std::vector<Influence>& weights, const std::vector<Influence>& shares, float amount,
                std::uint32_t fallbackJoint, const PaintRules& rules) {
  double free = 1.0;
  std::size_t room = rules.maxInfluences;
  std::vector<Share> now;
  double others = 0.0; // weight of what has no share
  const auto hasShare = [&](std::uint32_t item) {
    return std::ranges::find(shares, item, &Influence::joint) != shares.end();
  };
  for (const Influence& influence : weights) {
    if (rules.isLocked(influence.joint)) {
      free -= static_cast<double>(influence.weight);
      if (room > 0) --room;
      continue;
    }
    now.push_back({influence.joint, static_cast<double>(influence.weight)});
    if (!hasShare(influence.joint)) others += now.back().weight;
  }
  if (room == 0 || free < kLeast || amount <= 0.0f) return false;
  const double part = std::min(static_cast<double>(amount), 1.0);
  double rest = 1.0;
  std::vector<Share> wanted;
  for (const Influence& share : shares)
    if (share.weight > 0.0f && !rules.isLocked(share.joint)) {
      wanted.push_back({share.joint, static_cast<double>(share.weight)});
      rest -= static_cast<double>(share.weight);
    }
  if (rest > kLeast) {
    if (others > kLeast)
      for (const Share& share : now) {
        if (!hasShare(share.item)) wanted.push_back({share.item, rest * share.weight / others});
      }
    else if (fallbackJoint != kNoEntry && !rules.isLocked(fallbackJoint))
      wanted.push_back({fallbackJoint, rest});
  }
  if (wanted.empty()) return false;
  const double sum = sumShares(wanted);
  for (Share& share : now)
    share.weight *= 1.0 - part;
  for (const Share& share : wanted) {
    const double gain = part * free * share.weight / sum;
    const auto found = std::ranges::find(now, share.item, &Share::item);
    if (found == now.end())
      now.push_back({share.item, gain});
    else
      found->weight += gain;
  }
  fit(now, room, free);
  std::vector<Influence> out = combined(weights, rules, now);
  if (sameInfluences(out, weights)) return false;
  weights = std::move(out);
  return true;
}

std::vector<Influence> meanWeights(const std::vector<Influence>& a, const std::vector<Influence>& b,
                                   const PaintRules& rules) {
  double free = 1.0;
  std::size_t room = rules.maxInfluences;
  std::vector<Share> shares;
  for (const std::vector<Influence>* from : {&a, &b})
    for (const Influence& influence : *from) {
      if (rules.isLocked(influence.joint)) {
        if (from == &b) continue;
        free -= static_cast<double>(influence.weight);
        if (room > 0) --room;
        continue;
      }
      const double half = 0.5 * static_cast<double>(influence.weight);
      const auto found = std::ranges::find(shares, influence.joint, &Share::item);
      if (found == shares.end())
        shares.push_back({influence.joint, half});
      else
        found->weight += half;
    }
  fit(shares, std::max<std::size_t>(room, 1), free);
  return combined(a, rules, shares);
}

} // namespace sinew
