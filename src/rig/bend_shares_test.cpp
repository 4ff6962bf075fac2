#include "demo/random_model.h"
#include "rig/bend_shares.h"

#include <doctest/doctest.h>

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
