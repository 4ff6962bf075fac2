#include "weights/laplacian.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Fraction of the mean edge length.
constexpr double kMollify = 1e-5;

double computeLength(const WeightSurface& surface, std::uint32_t a, std::uint32_t b) {
  return glm::length(glm::dvec3(surface.positions[a]) - glm::dvec3(surface.positions[b]));
}

// Sides opposite to each corner.
using Sides = std::array<double, 3>;

Sides computeSides(const WeightSurface& surface, const Triangle& t) {
  return {computeLength(surface, t[1], t[2]), computeLength(surface, t[2], t[0]),
          computeLength(surface, t[0], t[1])};
}

// By how much all edges grow so that every triangle inequality holds with a margin.
double lengthening(std::span<const Sides> all) {
  double sum = 0.0;
  for (const Sides& sides : all)
    sum += sides[0] + sides[1] + sides[2];
  const double least = all.empty() ? 0.0 : kMollify * sum / (3.0 * static_cast<double>(all.size()));
  double growth = 0.0;
  for (const Sides& s : all)
    for (std::size_t i = 0; i < 3; ++i)
      growth = std::max(growth, least - (s[(i + 1) % 3] + s[(i + 2) % 3] - s[i]));
  return growth;
}

// Kahan's form of Heron's formula, accurate for needle triangles.
double computeArea(const Sides& sides) {
  auto [a, b, c] = sides;
  if (a < b) std::swap(a, b);
  if (a < c) std::swap(a, c);
  if (b < c) std::swap(b, c);
  const double product = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
  return 0.25 * std::sqrt(std::max(product, 0.0));
}

} // namespace

Laplacian cotangentLaplacian(const WeightSurface& surface) {
  std::vector<Sides> all;
  all.reserve(surface.triangles.size());
  for (const Triangle& t : surface.triangles)
    all.push_back(computeSides(surface, t));
  const double growth = lengthening(all);

  const auto count = static_cast<Eigen::Index>(surface.positions.size());
  Laplacian out;
  out.areas.assign(surface.positions.size(), 0.0);
  std::vector<Eigen::Triplet<double>> edges;
  edges.reserve(3 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Sides sides = all[i];
    for (double& side : sides)
      side += growth;
    const double area = computeArea(sides);
    const Triangle& t = surface.triangles[i];
    for (std::size_t c = 0; c < 3; ++c) {
      const double a = sides[c];
      const double b = sides[(c + 1) % 3];
      const double d = sides[(c + 2) % 3];
      const auto [low, high] = std::minmax(t[(c + 1) % 3], t[(c + 2) % 3]);
      // Half the cotangent of the corner opposite the edge.
      edges.emplace_back(high, low, -(b * b + d * d - a * a) / (8.0 * area));
      out.areas[t[c]] += area / 3.0;
    }
  }
  out.stiffness.resize(count, count);
  out.stiffness.setFromTriplets(edges.begin(), edges.end()); // sums the two of an edge
  std::vector<double> diagonal(surface.positions.size(), 0.0);
  for (int column = 0; column < out.stiffness.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(out.stiffness, column); entry; ++entry) {
      entry.valueRef() = std::min(entry.value(), 0.0);
      diagonal[static_cast<std::size_t>(entry.row())] -= entry.value();
      diagonal[static_cast<std::size_t>(entry.col())] -= entry.value();
    }
  Eigen::SparseMatrix<double> sums(count, count);
  sums.reserve(Eigen::VectorXi::Constant(count, 1));
  for (Eigen::Index i = 0; i < count; ++i)
    sums.insert(i, i) = diagonal[static_cast<std::size_t>(i)];
  out.stiffness += sums;
  return out;
}

} // namespace sinew
