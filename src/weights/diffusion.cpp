#include "weights/diffusion.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "weights/multifrontal.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

// Ends of the stages as fractions of automaticWeights()'s time, approximately.
constexpr float kFactorEnd = 0.7f;
constexpr float kSolveEnd = 0.97f;

// Bones solved together share each pass over the factor; a large mesh has memory for few of them.
std::size_t blockFor(std::size_t vertices) {
  return vertices > 500'000 ? 4 : 8;
}

// C + area H; rows of components without an anchored vertex are those of the identity.
const Matrix& assembleSystem(const WeightSurface& surface, const InitialWeights& initial,
                             Laplacian& laplacian) {
  const std::vector<bool> anchored = anchoredComponents(surface, initial);
  Matrix& system = laplacian.stiffness;
  for (int column = 0; column < system.outerSize(); ++column) {
    const auto welded = static_cast<std::size_t>(column);
    const bool solved = anchored[surface.componentOfWelded[welded]];
    for (Matrix::InnerIterator entry(system, column); entry; ++entry) {
      if (!solved)
        entry.valueRef() = entry.row() == column ? 1.0 : 0.0;
      else if (entry.row() == column)
        entry.valueRef() += laplacian.areas[welded] * initial.anchoring[welded];
    }
  }
  return system;
}

// The right-hand sides of bones [first, first + count). Collected from the initial weights for each
// block: a copy sorted by bone would need more memory than anything but the factor.
Eigen::MatrixXd rightSides(const InitialWeights& initial, const std::vector<double>& areas,
                           std::size_t first, std::size_t count) {
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(areas.size()),
                                                static_cast<Eigen::Index>(count));
  for (std::size_t welded = 0; welded < areas.size(); ++welded)
    for (const Influence& influence : initial.of(welded))
      if (influence.joint >= first && influence.joint < first + count)
        right(static_cast<Eigen::Index>(welded),
              static_cast<Eigen::Index>(influence.joint - first)) =
            areas[welded] * initial.anchoring[welded] * static_cast<double>(influence.weight);
  return right;
}

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

// The length that all edges grow by so that every triangle inequality holds with a margin.
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

std::vector<bool> anchoredComponents(const WeightSurface& surface, const InitialWeights& initial) {
  std::vector<bool> anchored(surface.componentCount, false);
  for (std::size_t p = 0; p < surface.positions.size(); ++p)
    if (initial.anchoring[p] > 0.0) anchored[surface.componentOfWelded[p]] = true;
  return anchored;
}

WeightField undiffused(const WeightSurface& surface, const InitialWeights& initial,
                       std::size_t bones) {
  WeightField field{surface.positions.size(), {}};
  field.values.assign(bones * field.vertices, 0.0f);
  for (std::size_t p = 0; p < field.vertices; ++p)
    for (const Influence& influence : initial.of(p))
      field.values[influence.joint * field.vertices + p] = influence.weight;
  return field;
}

WeightField diffuse(const WeightSurface& surface, const InitialWeights& initial, std::size_t bones,
                    DiffusionTimes& times, ProgressMeter* meter) {
  if (meter != nullptr) meter->startStage("factorising the Laplacian", kFactorEnd);
  const auto start = Clock::now();
  Laplacian laplacian = cotangentLaplacian(surface);
  for (std::size_t p = 0; p < laplacian.areas.size();
       ++p) // a loose vertex has no area, any will do
    if (laplacian.areas[p] <= 0.0) laplacian.areas[p] = 1.0;
  const MultifrontalCholesky solver(assembleSystem(surface, initial, laplacian), surface.positions,
                                    meter);
  if (!solver.succeeded())
    throw inputError("mesh", "its weights have no solution: the factorisation failed",
                     "look for vertices at enormous coordinates");
  times.factorSeconds = secondsSince(start);

  const auto solving = Clock::now();
  WeightField field{surface.positions.size(), {}};
  field.values.assign(bones * field.vertices, 0.0f);
  const std::size_t blockSize = blockFor(field.vertices);
  const std::size_t blocks = (bones + blockSize - 1) / blockSize;
  if (meter != nullptr) meter->startStage("spreading over the surface", kSolveEnd, blocks);
  forEachPieceInParallel(blocks, 1, [&](std::size_t block, std::size_t) {
    const std::size_t first = block * blockSize;
    const std::size_t count = std::min(blockSize, bones - first);
    Eigen::MatrixXd weights = rightSides(initial, laplacian.areas, first, count);
    solver.solve(weights);
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t p = 0; p < field.vertices; ++p)
        field.values[(first + b) * field.vertices + p] = static_cast<float>(
            std::max(weights(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(b)), 0.0));
    if (meter != nullptr) meter->piece();
  });
  times.solveSeconds = secondsSince(solving);
  return field;
}

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
