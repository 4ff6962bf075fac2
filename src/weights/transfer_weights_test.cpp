#include "model/shapes.h"
#include "weights/transfer_weights.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

// A square grid of cells about `center`, facing +Z.
struct TransferGrid {
  std::vector<vec3> positions;
  std::vector<Triangle> triangles;
  TransferMesh mesh() const { return {positions, triangles}; }
};

TransferGrid transferGrid(std::uint32_t cells, float width, const vec3& center) {
  TransferGrid out;
  for (std::uint32_t y = 0; y <= cells; ++y)
    for (std::uint32_t x = 0; x <= cells; ++x)
      out.positions.push_back(center + width * vec3(static_cast<float>(x) / float(cells) - 0.5f,
                                                    static_cast<float>(y) / float(cells) - 0.5f,
                                                    0));
  const std::uint32_t row = cells + 1;
  for (std::uint32_t y = 0; y < cells; ++y)
    for (std::uint32_t x = 0; x < cells; ++x) {
      const std::uint32_t a = y * row + x;
      out.triangles.push_back({a, a + 1, a + row});
      out.triangles.push_back({a + 1, a + row + 1, a + row});
    }
  return out;
}

void append(const TransferGrid& grid, TransferGrid& out) {
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  out.positions.insert(out.positions.end(), grid.positions.begin(), grid.positions.end());
  for (const Triangle& t : grid.triangles)
    out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

// Two joints: the weight of the second grows along x from 0 to 1 over [-1, 1].
Influences alongX(std::span<const vec3> positions) {
  Influences out;
  for (const vec3& p : positions) {
    const float share = std::clamp(0.5f + 0.5f * p.x, 0.0f, 1.0f);
    std::vector<Influence> weights;
    if (share < 1.0f) weights.push_back({0, 1.0f - share});
    if (share > 0.0f) weights.push_back({1, share});
    out.append(weights);
  }
  return out;
}

float weightOfSecond(const Influences& influences, std::size_t vertex) {
  for (const Influence& each : influences.of(vertex))
    if (each.joint == 1) return each.weight;
  return 0.0f;
}

} // namespace

TEST_CASE("transfer: the same surface in another topology gets the same weights") {
  const TransferGrid source = transferGrid(20, 2.0f, vec3(0));
  const TransferGrid target = transferGrid(33, 1.9f, vec3(0, 0, 0.01f));
  const TransferredWeights out =
      transferWeights(source.mesh(), alongX(source.positions), 2, target.mesh(), {});
  for (std::size_t v = 0; v < target.positions.size(); ++v) {
    CHECK(out.origins[v] == TransferOrigin::matched);
    CHECK(weightOfSecond(out.influences, v) ==
          doctest::Approx(0.5f + 0.5f * target.positions[v].x).epsilon(1e-4));
  }
}

TEST_CASE("transfer: by texture coordinates and by order the target may stand anywhere") {
  const TransferGrid source = transferGrid(20, 2.0f, vec3(0));
  TransferGrid target = transferGrid(20, 2.0f, vec3(0));
  std::vector<vec2> texcoords;
  for (vec3& p : target.positions) {
    texcoords.emplace_back(0.5f + 0.5f * p.x, 0.5f + 0.5f * p.y);
    p = vec3(9.0f - p.x, 0.5f * p.y, p.x * p.x); // mirrored, bent and far away
  }
  const Influences weights = alongX(source.positions);
  TransferMesh from = source.mesh(), to = target.mesh();
  from.texcoords = to.texcoords = texcoords;
  TransferOptions options;
  for (const TransferBy by : {TransferBy::texture, TransferBy::order}) {
    options.by = by;
    const TransferredWeights out = transferWeights(from, weights, 2, to, options);
    for (std::size_t v = 0; v < target.positions.size(); ++v) {
      CHECK(out.origins[v] == TransferOrigin::matched);
      CHECK(weightOfSecond(out.influences, v) ==
            doctest::Approx(0.5f + 0.5f * source.positions[v].x).epsilon(1e-4));
    }
  }
}

TEST_CASE("transfer: what lies beyond the source continues its weights smoothly, within 0 and 1") {
  // The source covers the middle half of the target.
  const TransferGrid source = transferGrid(10, 1.0f, vec3(0));
  const TransferGrid target = transferGrid(40, 2.0f, vec3(0));
  TransferOptions options;
  options.distance = 0.01f;
  const TransferredWeights out =
      transferWeights(source.mesh(), alongX(source.positions), 2, target.mesh(), options);
  std::size_t inpainted = 0;
  for (std::size_t v = 0; v < target.positions.size(); ++v) {
    float sum = 0.0f;
    for (const Influence& each : out.influences.of(v)) {
      CHECK(each.weight > 0.0f);
      sum += each.weight;
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-5));
    if (out.origins[v] == TransferOrigin::inpainted) ++inpainted;
    // A neighbour's weight differs by little more than the source's slope over a cell, 0.025.
    if (v % 41 != 40)
      CHECK(std::abs(weightOfSecond(out.influences, v) - weightOfSecond(out.influences, v + 1)) <
            0.05f);
  }
  CHECK(inpainted > target.positions.size() / 2);
  // Copies of the closest point have a kink at the border: the slope there drops to 0 at once.
  const std::size_t middle = std::size_t{20} * 41;
  CHECK(weightOfSecond(out.influences, middle + 40) >
        weightOfSecond(out.influences, middle + 30) + 0.005f);
}

TEST_CASE("transfer: a surface that faces another way is not matched, and turned inside out is") {
  const TransferGrid source = transferGrid(10, 2.0f, vec3(0));
  TransferGrid target = transferGrid(10, 1.8f, vec3(0, 0, 0.01f));
  for (Triangle& t : target.triangles)
    std::swap(t[1], t[2]);
  const Influences weights = alongX(source.positions);
  TransferOptions options;
  const auto first = [&] {
    return transferWeights(source.mesh(), weights, 2, target.mesh(), options).origins.front();
  };
  CHECK(first() == TransferOrigin::matched);
  options.flipped = false;
  CHECK(first() == TransferOrigin::nearest);
  for (vec3& p : target.positions) // across the source
    p = vec3(p.x, 0.0f, p.y);
  options.flipped = true;
  options.angle = 80.0f;
  CHECK(first() == TransferOrigin::nearest);
}

TEST_CASE("transfer: nothing passes between loose parts, however near they are") {
  // Two sheets side by side below the second sheet's joint and the first's.
  TransferGrid source = transferGrid(10, 1.0f, vec3(-0.55f, 0, 0));
  const std::size_t split = source.positions.size();
  append(transferGrid(10, 1.0f, vec3(0.55f, 0, 0)), source);
  Influences weights;
  for (std::size_t v = 0; v < source.positions.size(); ++v)
    weights.append(std::vector<Influence>{{v < split ? 0u : 1u, 1.0f}});
  // The target's sheets are longer: their far ends are inpainted.
  TransferGrid target;
  for (const float side : {-0.55f, 0.55f}) {
    TransferGrid sheet = transferGrid(20, 1.0f, vec3(side, 0, 0.005f));
    for (vec3& p : sheet.positions)
      p.y *= 2.0f;
    append(sheet, target);
  }
  TransferOptions options;
  options.distance = 0.02f;
  const TransferredWeights out = transferWeights(source.mesh(), weights, 2, target.mesh(), options);
  std::size_t inpainted = 0;
  for (std::size_t v = 0; v < target.positions.size(); ++v) {
    REQUIRE(out.influences.of(v).size() == 1);
    CHECK(out.influences.of(v)[0].joint == (target.positions[v].x < 0.0f ? 0u : 1u));
    inpainted += out.origins[v] == TransferOrigin::inpainted ? 1 : 0;
  }
  CHECK(inpainted > 200);
}

TEST_CASE("transfer: inpainted weights solve the equation, by the stencil of a grid") {
  constexpr std::uint32_t kCells = 24, kRow = kCells + 1;
  const TransferGrid source = transferGrid(8, 1.0f, vec3(0));
  const TransferGrid target = transferGrid(kCells, 2.0f, vec3(0));
  Influences weights;
  for (const vec3& p : source.positions) {
    const float share = 0.5f + 0.3f * p.x * p.y;
    weights.append(std::vector<Influence>{{0, 1.0f - share}, {1, share}});
  }
  TransferOptions options;
  options.distance = 0.01f;
  options.influences = 0;
  const TransferredWeights out = transferWeights(source.mesh(), weights, 2, target.mesh(), options);
  // On a grid of right triangles C is the five-point stencil, and the area of an inner vertex is
  // that of a cell.
  const auto stencil = [](const auto& valueAt, std::size_t v) {
    return 4.0 * valueAt(v) - valueAt(v - 1) - valueAt(v + 1) - valueAt(v - kRow) -
           valueAt(v + kRow);
  };
  const auto weightAt = [&](std::size_t v) {
    return static_cast<double>(weightOfSecond(out.influences, v));
  };
  const double area = (2.0 / kCells) * (2.0 / kCells) / 8.0; // at size 1: the diagonal is sqrt 8
  std::size_t checked = 0;
  double bent = 0.0; // 0 where the weights are harmonic, which is not the equation solved
  for (std::size_t y = 3; y + 3 < kRow; ++y)
    for (std::size_t x = 3; x + 3 < kRow; ++x) {
      const std::size_t v = y * kRow + x;
      if (out.origins[v] != TransferOrigin::inpainted) continue;
      const auto firstOrder = [&](std::size_t at) { return stencil(weightAt, at); };
      const double second = stencil(firstOrder, v) / area;
      CHECK(std::abs(firstOrder(v) + second) < 1e-5 / area);
      bent = std::max(bent, std::abs(firstOrder(v)));
      ++checked;
    }
  CHECK(checked > 100);
  CHECK(bent > 1e-4);
}
