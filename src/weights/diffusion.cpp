#include "weights/diffusion.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "weights/multifrontal.h"

#include <algorithm>

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

} // namespace sinew
