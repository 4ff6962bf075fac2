#include "animation/random_model.h"
#include "rig/bend_shares.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

using namespace sinew;

namespace {

// Bones 0 - 1 - 2 - 3 in a chain, and 4 at 1; 5 is a root of its own.
Rig branched() {
  Rig rig;
  for (const std::uint32_t parent : {kNoNode, 0u, 1u, 2u, 1u, kNoNode})
    rig.joints.push_back({0, parent, mat4(1.0f)});
  return rig;
}

std::map<std::uint32_t, float> sharesFor(const std::vector<Influence>& influences) {
  Rig rig = branched();
  rig.positions.resize(1);
  rig.influences.append(influences);
  std::map<std::uint32_t, float> out;
  const Lists<BendShare> shares = bendShares(rig);
  for (const BendShare& each : shares.of(0))
    out[each.joint] = each.share;
  return out;
}

using Shares = std::map<std::uint32_t, float>;

} // namespace

TEST_CASE("bend shares: the joints on the way between the bones") {
  CHECK(sharesFor({{2, 1.0f}}) == Shares{{2, 1.0f}});
  CHECK(sharesFor({{1, 0.75f}, {2, 0.25f}}) == Shares{{2, 1.0f}});
  CHECK(sharesFor({{2, 0.75f}, {1, 0.25f}}) == Shares{{2, 1.0f}});
  CHECK(sharesFor({{1, 0.5f}, {3, 0.5f}}) == Shares{{2, 0.5f}, {3, 0.5f}});
  CHECK(sharesFor({{2, 0.5f}, {4, 0.5f}}) == Shares{{2, 0.5f}, {4, 0.5f}});
  CHECK(sharesFor({{0, 0.5f}, {5, 0.5f}}) == Shares{{0, 0.5f}, {5, 0.5f}}); // no bone above both
  // Three pairs: 0 with 1, 1 with 2, and 0 with 2 by way of both joints.
  const Shares three = sharesFor({{1, 0.5f}, {0, 0.25f}, {2, 0.25f}});
  CHECK(three.at(1) == doctest::Approx((0.125 + 0.03125) / 0.3125));
  CHECK(three.at(2) == doctest::Approx((0.125 + 0.03125) / 0.3125));
}

TEST_CASE("bend shares: a partition of unity for random rigs") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Rig rig = buildRig(randomModel(seed));
    const Lists<BendShare> shares = bendShares(rig);
    REQUIRE(shares.count() == rig.positions.size());
    for (std::size_t v = 0; v < shares.count(); ++v) {
      float sum = 0.0f;
      for (const BendShare& each : shares.of(v)) {
        CHECK(each.share > 0.0f);
        sum += each.share;
      }
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-6));
    }
  }
}

TEST_CASE("bend shares: how they begin to grow along an edge") {
  constexpr float kStep = 1.0f / 1024.0f;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Rig random = buildRig(randomModel(seed));
    const auto count = static_cast<std::uint32_t>(random.positions.size());
    for (std::uint32_t v = 0; v + 7 < count; v += 7) {
      // The two vertices, and two on the way between them.
      Rig rig;
      rig.joints = random.joints;
      rig.positions.resize(3);
      std::map<std::uint32_t, float> from, to;
      for (const Influence& each : random.influences.of(v))
        from[each.joint] = each.weight;
      for (const Influence& each : random.influences.of(v + 7))
        to[each.joint] = each.weight;
      for (const float t : {kStep, 2.0f * kStep, 1.0f}) {
        std::map<std::uint32_t, float> mixed;
        for (const auto& [joint, weight] : from)
          mixed[joint] += (1.0f - t) * weight;
        for (const auto& [joint, weight] : to)
          mixed[joint] += t * weight;
        std::vector<Influence> influences;
        for (const auto& [joint, weight] : mixed)
          if (weight > 0.0f) influences.push_back({joint, weight});
        rig.influences.append(influences);
      }
      const Lists<BendShare> shares = bendShares(rig);
      rig.influences = {};
      rig.influences.append(random.influences.of(v));
      rig.influences.append(random.influences.of(v + 7));
      Shares near, next;
      for (const BendShare& each : shares.of(0))
        near[each.joint] = each.share;
      for (const BendShare& each : shares.of(1))
        next[each.joint] = each.share;
      for (const BendShareRate& rate : bendShareRates(rig)(0, 1)) {
        CAPTURE(seed);
        CAPTURE(v);
        // The quadratic through the limit and two points has the slope at the start.
        const auto limit = static_cast<float>(rate.share);
        CHECK(std::abs(2.0f * near[rate.joint] - next[rate.joint] - limit) < 1e-3f);
        if (from.size() == 1) continue; // no growth is found there
        const float slope = (4.0f * near[rate.joint] - next[rate.joint] - 3.0f * limit) / 2.0f;
        CHECK(slope / kStep == doctest::Approx(rate.growth).epsilon(0.05).scale(0.1));
      }
    }
  }
}
