#include "model/shapes.h"
#include "weights/transfer_smoothing.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr std::uint32_t kSheetCells = 12, kSheetRow = kSheetCells + 1;

// Two square grids of unit cells that do not touch.
WeightSurface twoSheets() {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  for (const float height : {0.0f, 0.01f}) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (std::uint32_t y = 0; y < kSheetRow; ++y)
      for (std::uint32_t x = 0; x < kSheetRow; ++x)
        positions.emplace_back(static_cast<float>(x), static_cast<float>(y), height);
    for (std::uint32_t y = 0; y < kSheetCells; ++y)
      for (std::uint32_t x = 0; x < kSheetCells; ++x) {
        const std::uint32_t a = first + y * kSheetRow + x;
        triangles.push_back({a, a + 1, a + kSheetRow});
        triangles.push_back({a + 1, a + kSheetRow + 1, a + kSheetRow});
      }
  }
  return makeWeightSurface(positions, triangles);
}

float firstWeight(const std::vector<Influence>& weights) {
  const auto found = std::ranges::find(weights, 0u, &Influence::joint);
  return found == weights.end() ? 0.0f : found->weight;
}

} // namespace

TEST_CASE("transfer smoothing: a step moves a fifth towards the mean of the neighbours") {
  const WeightSurface surface = twoSheets();
  const std::size_t middle = std::size_t{6} * kSheetRow + 6;
  std::vector<std::vector<Influence>> weights(surface.positions.size(), {{1, 1.0f}});
  weights[middle] = {{0, 1.0f}};
  smoothWeights(surface, std::vector<bool>(weights.size(), true), 1, weights);
  CHECK(firstWeight(weights[middle]) == doctest::Approx(0.8f));
  CHECK(firstWeight(weights[middle + 1]) == doctest::Approx(0.2f / 6.0f)); // mean of six neighbours
  CHECK(firstWeight(weights[middle + 2]) == 0.0f);
}

TEST_CASE("transfer smoothing: weights keep their sum, and nothing passes to a loose part") {
  const WeightSurface surface = twoSheets();
  const std::size_t count = surface.positions.size();
  std::vector<std::vector<Influence>> weights;
  for (std::size_t p = 0; p < count; ++p)
    weights.push_back(p < count / 2 ? std::vector<Influence>{{p % 3 == 0 ? 0u : 1u, 1.0f}}
                                    : std::vector<Influence>{{2, 1.0f}});
  const auto roughness = [&] {
    float sum = 0.0f;
    for (std::size_t p = 0; p + 1 < count / 2; ++p)
      sum += std::abs(firstWeight(weights[p]) - firstWeight(weights[p + 1]));
    return sum;
  };
  const float before = roughness();
  smoothWeights(surface, std::vector<bool>(count, true), 30, weights);
  CHECK(roughness() < 0.5f * before);
  for (std::size_t p = 0; p < count; ++p) {
    float sum = 0.0f;
    for (const Influence& each : weights[p]) {
      sum += each.weight;
      CHECK((each.joint == 2) == (p >= count / 2));
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-4));
  }
}

TEST_CASE("transfer smoothing: it reaches so far along edges, not through the air") {
  const WeightSurface surface = twoSheets();
  std::vector<bool> chosen(surface.positions.size(), false);
  chosen[0] = true;
  const std::vector<bool> grown = grownBy(surface, chosen, 2.5f);
  CHECK(grown[2]);
  CHECK_FALSE(grown[3]);
  CHECK(grown[std::size_t{2} * kSheetRow]);
  CHECK_FALSE(grown[std::size_t{3} * kSheetRow]);
  for (std::size_t p = grown.size() / 2; p < grown.size(); ++p)
    CHECK_FALSE(grown[p]);
  // Others stay bit for bit.
  std::vector<std::vector<Influence>> weights;
  for (std::uint32_t p = 0; p < grown.size(); ++p)
    weights.push_back({{p % 2, 1.0f}});
  auto after = weights;
  smoothWeights(surface, grown, 5, after);
  for (std::size_t p = 0; p < grown.size(); ++p)
    CHECK((firstWeight(after[p]) == firstWeight(weights[p])) == !grown[p]);
}

} // namespace sinew
