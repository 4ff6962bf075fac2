#include "weights/pruning.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

float sumWeights(const std::vector<Influence>& weights) {
  float sum = 0.0f;
  for (const Influence& w : weights)
    sum += w.weight;
  return sum;
}

} // namespace

TEST_CASE("pruning: the plain way keeps the largest, the faded one less of each") {
  const std::vector<Influence> weights{{3, 0.1f}, {0, 0.4f}, {2, 0.2f}, {1, 0.3f}};
  std::vector<Influence> plain = weights;
  CHECK(pruneWeights(plain, 3, Pruning::plain) == doctest::Approx(0.1));
  REQUIRE(plain.size() == 3);
  CHECK(plain[0].joint == 0);
  CHECK(plain[0].weight == doctest::Approx(0.4 / 0.9));
  CHECK(plain[2].weight == doctest::Approx(0.2 / 0.9));
  std::vector<Influence> faded = weights;
  CHECK(pruneWeights(faded, 3, Pruning::faded) == doctest::Approx(0.1 + 0.2 - 1.0 / 6.0));
  REQUIRE(faded.size() == 3);
  CHECK(faded[0].weight == doctest::Approx(0.5)); // 0.3 of 0.6
  CHECK(faded[1].weight == doctest::Approx(2.0 / 6.0));
  CHECK(faded[2].weight == doctest::Approx(1.0 / 6.0));
}

TEST_CASE("pruning: small weights become smaller by their square, without a jump") {
  std::vector<Influence> weights{{0, 1.4f}, {1, 0.4f}, {2, 0.16f}, {3, 0.04f}}; // sum 2
  reduceSmallWeights(weights, 0.2f);
  CHECK(weights[0].weight == 1.4f);
  CHECK(weights[1].weight == doctest::Approx(0.4)); // the limit itself
  CHECK(weights[2].weight == doctest::Approx(0.16 * 0.4));
  CHECK(weights[3].weight == doctest::Approx(0.04 * 0.1));
  REQUIRE(weights.size() == 4);
}

TEST_CASE("pruning: what fits is scaled and sorted, no more") {
  for (const Pruning how : {Pruning::faded, Pruning::plain})
    for (const std::uint32_t maxInfluences : {0u, 2u, 5u}) {
      std::vector<Influence> weights{{0, 0.5f}, {1, 1.5f}};
      CHECK(pruneWeights(weights, maxInfluences, how) == 0.0f);
      REQUIRE(weights.size() == 2);
      CHECK(weights[0].joint == 1);
      CHECK(weights[0].weight == 0.75f);
    }
}

TEST_CASE("pruning: equal weights stay equal, and the first are kept") {
  for (const Pruning how : {Pruning::faded, Pruning::plain}) {
    std::vector<Influence> weights;
    for (std::uint32_t j = 0; j < 6; ++j)
      weights.push_back({j, 1.0f / 6.0f});
    pruneWeights(weights, 4, how);
    REQUIRE(weights.size() == 4);
    for (std::uint32_t j = 0; j < 4; ++j)
      CHECK(getWeight(weights, j) == doctest::Approx(0.25));
  }
}

TEST_CASE("pruning: faded weights have no jump where the order changes") {
  // Joint 3 overtakes joint 2 as t grows; two other joints are kept.
  const auto at = [](float t, Pruning how) {
    std::vector<Influence> weights{{0, 0.4f}, {1, 0.3f}, {2, 0.2f - t}, {3, 0.1f + t}};
    pruneWeights(weights, 3, how);
    CHECK(sumWeights(weights) == doctest::Approx(1.0));
    return weights;
  };
  constexpr float kChange = 0.001f;
  for (const Pruning how : {Pruning::faded, Pruning::plain}) {
    float largest = 0.0f;
    for (float t = 0.0f; t < 0.1f; t += kChange)
      for (std::uint32_t joint = 0; joint < 4; ++joint)
        largest = std::max(largest, std::abs(getWeight(at(t, how), joint) -
                                             getWeight(at(t + kChange, how), joint)));
    if (how == Pruning::faded)
      CHECK(largest < 6.0f * kChange);
    else
      CHECK(largest > 0.15f);
  }
}
