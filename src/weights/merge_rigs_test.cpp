#include "weights/merge_rigs.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace sinew {
namespace {

float combinedWeight(const std::vector<Influence>& weights, std::uint32_t joint) {
  const auto found = std::ranges::find(weights, joint, &Influence::joint);
  return found == weights.end() ? 0.0f : found->weight;
}

} // namespace

TEST_CASE("combined weights: a share of the new ones is a mean of both") {
  const std::vector<Influence> own{{0, 0.75f}, {1, 0.25f}}, fresh{{1, 0.5f}, {2, 0.5f}};
  for (const float mix : {0.0f, 0.4f, 1.0f}) {
    const auto out = combinedWeights(own, fresh, {{}, mix});
    CHECK(combinedWeight(out, 0) == doctest::Approx((1.0f - mix) * 0.75f));
    CHECK(combinedWeight(out, 1) == doctest::Approx((1.0f - mix) * 0.25f + mix * 0.5f));
    CHECK(combinedWeight(out, 2) == doctest::Approx(mix * 0.5f));
  }
}

TEST_CASE("combined weights: of chosen joints alone, and the vertex's own others fill the rest") {
  const std::vector<Influence> own{{0, 0.6f}, {1, 0.2f}, {2, 0.2f}}, fresh{{3, 0.3f}, {2, 0.7f}};
  WeightChoice choice{{false, false, true, false}};
  auto out = combinedWeights(own, fresh, choice);
  CHECK(combinedWeight(out, 2) == doctest::Approx(0.7f));
  CHECK(combinedWeight(out, 3) == 0.0f); // it was not asked for
  CHECK(combinedWeight(out, 0) == doctest::Approx(0.3f * 0.75f));
  CHECK(combinedWeight(out, 1) == doctest::Approx(0.3f * 0.25f));
  choice.mix = 0.5f;
  out = combinedWeights(own, fresh, choice);
  CHECK(combinedWeight(out, 2) == doctest::Approx(0.45f));
  CHECK(combinedWeight(out, 0) == doctest::Approx(0.55f * 0.75f));
}

TEST_CASE("combined weights: a vertex never ends without weights") {
  const std::vector<Influence> own{{0, 1.0f}}, fresh{{0, 0.25f}, {1, 0.75f}};
  // It follows the chosen joint alone, and nothing else of its own can take what that loses.
  auto out = combinedWeights(own, fresh, {{true, false}});
  REQUIRE(out.size() == 1);
  CHECK(out[0].joint == 0);
  CHECK(out[0].weight == doctest::Approx(1.0f));
  // The chosen joint has nothing at all there.
  out = combinedWeights(own, std::vector<Influence>{{1, 1.0f}}, {{true, false}});
  REQUIRE(out.size() == 1);
  CHECK(out[0].joint == 0);
  CHECK(out[0].weight == 1.0f);
}

} // namespace sinew
