#include "weights/diffusion.h"

#include "core/error.h"
#include "core/parallel.h"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <chrono>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;
using Matrix = Eigen::SparseMatrix<double>;

// Where its stages end in the whole of automaticWeights(), about as its time goes.
constexpr float kFactorEnd = 0.7f;
constexpr float kSolveEnd = 0.97f;

// Bones solved together: they share each pass over the factor, and a large mesh has not room for
// many.
std::size_t blockFor(std::size_t places) {
  return places > 500'000 ? 2 : 4;
}

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// C + area H; a place of a shell that nothing holds stands alone.
Matrix systemOf(const WeightSurface& surface, const WeightSources& sources, Laplacian& laplacian) {
  const std::vector<bool> held = heldShells(surface, sources);
  Matrix& system = laplacian.stiffness;
  for (int column = 0; column < system.outerSize(); ++column) {
    const auto place = static_cast<std::size_t>(column);
    const bool solved = held[surface.shellOfPlace[place]];
    for (Matrix::InnerIterator entry(system, column); entry; ++entry) {
      if (!solved)
        entry.valueRef() = entry.row() == column ? 1.0 : 0.0;
      else if (entry.row() == column)
        entry.valueRef() += laplacian.areas[place] * sources.hold[place];
    }
  }
  return std::move(system);
}

// The right-hand sides of bones [first, first + count). Read off the sources anew for each block: a
// copy sorted by bone would be the largest thing in memory beside the factor.
Eigen::MatrixXd rightSides(const WeightSources& sources, const std::vector<double>& areas,
                           std::size_t first, std::size_t count) {
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(areas.size()),
                                                static_cast<Eigen::Index>(count));
  for (std::size_t place = 0; place < areas.size(); ++place)
    for (const Influence& influence : sources.of(place))
      if (influence.joint >= first && influence.joint < first + count)
        right(static_cast<Eigen::Index>(place),
              static_cast<Eigen::Index>(influence.joint - first)) =
            areas[place] * sources.hold[place] * static_cast<double>(influence.weight);
  return right;
}

} // namespace

std::vector<bool> heldShells(const WeightSurface& surface, const WeightSources& sources) {
  std::vector<bool> held(surface.shellCount, false);
  for (std::size_t p = 0; p < surface.positions.size(); ++p)
    if (sources.hold[p] > 0.0) held[surface.shellOfPlace[p]] = true;
  return held;
}

WeightField undiffused(const WeightSurface& surface, const WeightSources& sources,
                       std::size_t bones) {
  WeightField field{surface.positions.size(), {}};
  field.values.assign(bones * field.places, 0.0f);
  for (std::size_t p = 0; p < field.places; ++p)
    for (const Influence& influence : sources.of(p))
      field.values[influence.joint * field.places + p] = influence.weight;
  return field;
}

WeightField diffuse(const WeightSurface& surface, const WeightSources& sources, std::size_t bones,
                    DiffusionTimes& times, ProgressMeter* meter) {
  if (meter != nullptr) meter->startStage("factorising the Laplacian", kFactorEnd);
  const auto start = Clock::now();
  Laplacian laplacian = cotangentLaplacian(surface);
  for (std::size_t p = 0; p < laplacian.areas.size(); ++p) // a loose place has no area, any will do
    if (laplacian.areas[p] <= 0.0) laplacian.areas[p] = 1.0;
  Eigen::SimplicialLLT<Matrix, Eigen::Lower> solver(systemOf(surface, sources, laplacian));
  if (solver.info() != Eigen::Success)
    throw inputError("mesh", "its weights have no solution: the factorisation failed",
                     "look for vertices at enormous coordinates");
  times.factorSeconds = secondsSince(start);

  const auto solving = Clock::now();
  WeightField field{surface.positions.size(), {}};
  field.values.assign(bones * field.places, 0.0f);
  const std::size_t most = blockFor(field.places);
  const std::size_t blocks = (bones + most - 1) / most;
  if (meter != nullptr) meter->startStage("spreading over the surface", kSolveEnd, blocks);
  forEachPieceInParallel(blocks, 1, [&](std::size_t block, std::size_t) {
    const std::size_t first = block * most;
    const std::size_t count = std::min(most, bones - first);
    const Eigen::MatrixXd weights =
        solver.solve(rightSides(sources, laplacian.areas, first, count));
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t p = 0; p < field.places; ++p)
        field.values[(first + b) * field.places + p] = static_cast<float>(
            std::max(weights(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(b)), 0.0));
    if (meter != nullptr) meter->piece();
  });
  times.solveSeconds = secondsSince(solving);
  return field;
}

} // namespace sinew
