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

constexpr std::size_t kBlock = 4; // bones solved together: they share each pass over the factor

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

// Places lie bone by bone, so that a block's right-hand side is gathered in one pass.
struct BoneSources {
  std::vector<std::vector<std::pair<std::uint32_t, float>>> ofBone; // place, weight

  BoneSources(const WeightSources& sources, std::size_t bones) : ofBone(bones) {
    for (std::uint32_t place = 0; place + 1 < sources.offsets.size(); ++place)
      for (const Influence& influence : sources.of(place))
        ofBone[influence.joint].emplace_back(place, influence.weight);
  }
};

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
                    DiffusionTimes& times) {
  const auto start = Clock::now();
  Laplacian laplacian = cotangentLaplacian(surface);
  for (std::size_t p = 0; p < laplacian.areas.size(); ++p) // a loose place has no area, any will do
    if (laplacian.areas[p] <= 0.0) laplacian.areas[p] = 1.0;
  const Matrix system = systemOf(surface, sources, laplacian);
  Eigen::SimplicialLLT<Matrix, Eigen::Lower> solver(system);
  if (solver.info() != Eigen::Success)
    throw inputError("mesh", "its weights have no solution: the factorisation failed",
                     "look for vertices at enormous coordinates");
  times.factorSeconds = secondsSince(start);

  const auto solving = Clock::now();
  WeightField field{surface.positions.size(), {}};
  field.values.assign(bones * field.places, 0.0f);
  const BoneSources byBone(sources, bones);
  forEachPieceInParallel((bones + kBlock - 1) / kBlock, 1, [&](std::size_t block, std::size_t) {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, bones - first);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(field.places),
                                                  static_cast<Eigen::Index>(count));
    for (std::size_t b = 0; b < count; ++b)
      for (const auto& [place, weight] : byBone.ofBone[first + b])
        right(place, static_cast<Eigen::Index>(b)) =
            laplacian.areas[place] * sources.hold[place] * static_cast<double>(weight);
    const Eigen::MatrixXd weights = solver.solve(right);
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t p = 0; p < field.places; ++p)
        field.values[(first + b) * field.places + p] = static_cast<float>(
            std::max(weights(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(b)), 0.0));
  });
  times.solveSeconds = secondsSince(solving);
  return field;
}

} // namespace sinew
