#include "weights/transfer_weights.h"

#include "core/error.h"
#include "core/parallel.h"
#include "weights/diffusion.h"
#include "weights/surface.h"
#include "weights/transfer_smoothing.h"
#include "weights/visibility.h"

#include <Eigen/SparseCholesky>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::size_t kJointsAtOnce = 8;
constexpr float kLeastWeight = 1e-4f; // what inpainting leaves below it is rounding

// Per welded vertex of a surface the weights of the first vertex there.
std::vector<std::vector<Influence>> weldedWeights(const WeightSurface& surface,
                                                  const Influences& weights) {
  std::vector<std::vector<Influence>> out(surface.positions.size());
  for (std::size_t v = 0; v < surface.weldedOfVertex.size(); ++v)
    if (std::vector<Influence>& welded = out[surface.weldedOfVertex[v]]; welded.empty())
      welded.assign(weights.of(v).begin(), weights.of(v).end());
  return out;
}

// The closest point of the source, for every welded vertex of the target.
struct SourceMatch {
  bool agrees = false;
  std::vector<Influence> weights; // weights there: at least one
};

std::vector<Influence> blendAt(const WeightSurface& source, const ClosestPoint& point,
                               std::span<const std::vector<Influence>> weights) {
  std::vector<Influence> out;
  for (int c = 0; c < 3; ++c)
    for (const Influence& each :
         weights[source.triangles[point.triangle][static_cast<std::size_t>(c)]]) {
      const float weight = point.corners[c] * each.weight;
      if (!(weight > 0.0f)) continue;
      const auto same = std::find_if(out.begin(), out.end(),
                                     [&](const Influence& i) { return i.joint == each.joint; });
      if (same == out.end())
        out.push_back({each.joint, weight});
      else
        same->weight += weight;
    }
  return out;
}

bool normalsAgree(const WeightSurface& source, const ClosestPoint& point, const vec3& normal,
                  const TransferOptions& options) {
  vec3 there(0.0f);
  for (int c = 0; c < 3; ++c)
    there += point.corners[c] *
             source.normals[source.triangles[point.triangle][static_cast<std::size_t>(c)]];
  const float length = glm::length(there);
  if (!(length > 0.0f) || normal == vec3(0.0f)) return false;
  const float cosine = glm::dot(there, normal) / length;
  return (options.flipped ? std::abs(cosine) : cosine) >= std::cos(glm::radians(options.angle));
}

std::vector<SourceMatch> matchSource(const WeightSurface& source, const Influences& weights,
                                     const WeightSurface& target, const TransferOptions& options) {
  const std::vector<std::vector<Influence>> welded = weldedWeights(source, weights);
  const SurfaceRays rays(source);
  std::vector<SourceMatch> out(target.positions.size());
  forEachPieceInParallel(out.size(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const ClosestPoint point = rays.nearest(target.positions[p]);
      out[p].weights = blendAt(source, point, welded);
      out[p].agrees =
          glm::distance(point.position, target.positions[p]) <= options.distance * target.size &&
          normalsAgree(source, point, target.normals[p], options);
    }
  });
  return out;
}

// The closest point among the texture coordinates; parts that share some are one there.
std::vector<SourceMatch> matchTexture(const TransferMesh& source, const Influences& weights,
                                      const TransferMesh& target, const WeightSurface& to) {
  std::vector<vec3> flat;
  for (const vec2& at : source.texcoords)
    flat.emplace_back(at, 0.0f);
  const WeightSurface from = makeWeightSurface(flat, source.triangles);
  if (from.triangles.empty())
    throw inputError("the source mesh", "its texture coordinates have no area");
  const std::vector<std::vector<Influence>> welded = weldedWeights(from, weights);
  const SurfaceRays rays(from);
  std::vector<SourceMatch> out(to.positions.size());
  for (std::size_t v = 0; v < to.weldedOfVertex.size(); ++v) {
    SourceMatch& match = out[to.weldedOfVertex[v]];
    if (std::exchange(match.agrees, true)) continue; // the first vertex at a place
    match.weights = blendAt(from, rays.nearest(vec3(target.texcoords[v], 0.0f)), welded);
  }
  return out;
}

std::vector<SourceMatch> matchOrder(const Influences& weights, const WeightSurface& to) {
  std::vector<SourceMatch> out(to.positions.size());
  for (std::size_t v = 0; v < to.weldedOfVertex.size(); ++v) {
    SourceMatch& match = out[to.weldedOfVertex[v]];
    if (std::exchange(match.agrees, true)) continue;
    match.weights.assign(weights.of(v).begin(), weights.of(v).end());
  }
  return out;
}

// C + C M^-1 C of the target at size 1, whole.
Sparse inpaintingEnergy(const WeightSurface& target) {
  const Laplacian laplacian = cotangentLaplacian(target);
  const Sparse stiffness = laplacian.stiffness.selfadjointView<Eigen::Lower>();
  Eigen::VectorXd inverse(stiffness.rows());
  const double square = static_cast<double>(target.size) * static_cast<double>(target.size);
  for (Eigen::Index i = 0; i < inverse.size(); ++i) {
    const double area = laplacian.areas[static_cast<std::size_t>(i)] / square;
    inverse[i] = area > 1e-12 ? 1.0 / area : 0.0;
  }
  return stiffness + Sparse(stiffness * inverse.asDiagonal() * stiffness);
}

// The unknown welded vertices and the system of them.
struct Inpainting {
  std::vector<std::uint32_t> unknown;
  std::vector<Eigen::Index> rowByVertex; // per welded vertex; -1: known
  Sparse coupling;                       // unknown rows, columns of all welded vertices
  Eigen::SimplicialLDLT<Sparse> solver;
};

void prepare(const WeightSurface& target, const std::vector<TransferOrigin>& origins,
             Inpainting& out) {
  out.rowByVertex.assign(target.positions.size(), -1);
  for (std::uint32_t p = 0; p < origins.size(); ++p)
    if (origins[p] == TransferOrigin::inpainted) {
      out.rowByVertex[p] = static_cast<Eigen::Index>(out.unknown.size());
      out.unknown.push_back(p);
    }
  if (out.unknown.empty()) return;
  const Sparse energy = inpaintingEnergy(target);
  const auto rows = static_cast<Eigen::Index>(out.unknown.size());
  std::vector<Eigen::Triplet<double>> inner, coupled;
  for (int column = 0; column < energy.outerSize(); ++column)
    for (Sparse::InnerIterator entry(energy, column); entry; ++entry) {
      const Eigen::Index row = out.rowByVertex[static_cast<std::size_t>(entry.row())];
      const Eigen::Index other = out.rowByVertex[static_cast<std::size_t>(entry.col())];
      if (row < 0) continue;
      if (other >= 0)
        inner.emplace_back(row, other, entry.value());
      else
        coupled.emplace_back(row, entry.col(), entry.value());
    }
  Sparse system(rows, rows);
  system.setFromTriplets(inner.begin(), inner.end());
  out.coupling.resize(rows, energy.cols());
  out.coupling.setFromTriplets(coupled.begin(), coupled.end());
  out.solver.compute(system);
  if (out.solver.info() != Eigen::Success)
    throw inputError("the target mesh", "its weights have no solution: the factorisation failed",
                     "look for triangles without an area");
}

// Adds the inpainted weights of joints [first, first + count) to their vertices.
void inpaint(const Inpainting& system, std::span<const SourceMatch> matches,
             const std::vector<TransferOrigin>& origins, std::size_t first, std::size_t count,
             std::vector<std::vector<Influence>>& weights) {
  Eigen::MatrixXd known =
      Eigen::MatrixXd::Zero(system.coupling.cols(), static_cast<Eigen::Index>(count));
  for (std::size_t p = 0; p < origins.size(); ++p)
    if (origins[p] != TransferOrigin::inpainted)
      for (const Influence& each : matches[p].weights)
        if (each.joint >= first && each.joint < first + count)
          known(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(each.joint - first)) =
              static_cast<double>(each.weight);
  if (known.isZero(0.0)) return;
  const Eigen::MatrixXd solved = system.solver.solve(-(system.coupling * known));
  for (Eigen::Index row = 0; row < solved.rows(); ++row)
    for (Eigen::Index joint = 0; joint < solved.cols(); ++joint)
      if (const auto weight = static_cast<float>(solved(row, joint)); weight > kLeastWeight)
        weights[static_cast<std::size_t>(row)].push_back(
            {static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(joint), weight});
}

// Vertices of parts without a match keep the closest point's weights.
std::vector<TransferOrigin> findOrigins(const WeightSurface& target,
                                        std::span<const SourceMatch> matches) {
  std::vector<bool> anchored(target.componentCount, false);
  for (std::size_t p = 0; p < matches.size(); ++p)
    if (matches[p].agrees) anchored[target.componentOfWelded[p]] = true;
  std::vector<TransferOrigin> out;
  for (std::size_t p = 0; p < matches.size(); ++p)
    out.push_back(matches[p].agrees                       ? TransferOrigin::matched
                  : anchored[target.componentOfWelded[p]] ? TransferOrigin::inpainted
                                                          : TransferOrigin::nearest);
  return out;
}

void smoothMatches(const WeightSurface& target, const std::vector<TransferOrigin>& origins,
                   const TransferOptions& options, std::vector<SourceMatch>& matches) {
  std::vector<bool> chosen(matches.size(), options.smoothAll);
  std::vector<std::vector<Influence>> weights(matches.size());
  for (std::size_t p = 0; p < matches.size(); ++p) {
    if (origins[p] != TransferOrigin::matched) chosen[p] = true;
    weights[p] = std::move(matches[p].weights);
  }
  if (!options.smoothAll)
    chosen = grownBy(target, std::move(chosen), options.distance * target.size);
  smoothWeights(target, chosen, options.smoothing, weights);
  for (std::size_t p = 0; p < matches.size(); ++p)
    matches[p].weights = std::move(weights[p]);
}

} // namespace

TransferredWeights transferWeights(const TransferMesh& source, const Influences& weights,
                                   std::size_t joints, const TransferMesh& target,
                                   const TransferOptions& options, const Progress& progress) {
  ProgressMeter meter(progress);
  meter.startStage("matching", 0.2f);
  const WeightSurface from = makeWeightSurface(source.positions, source.triangles);
  const WeightSurface to = makeWeightSurface(target.positions, target.triangles);
  if (from.triangles.empty() || to.triangles.empty())
    throw inputError(from.triangles.empty() ? "the source mesh" : "the target mesh",
                     "has no triangle with an area");
  std::vector<SourceMatch> matches =
      options.by == TransferBy::surface   ? matchSource(from, weights, to, options)
      : options.by == TransferBy::texture ? matchTexture(source, weights, target, to)
                                          : matchOrder(weights, to);
  const std::vector<TransferOrigin> origins = findOrigins(to, matches);

  meter.startStage("factorising", 0.6f);
  Inpainting system;
  prepare(to, origins, system);
  const std::size_t blocks =
      system.unknown.empty() ? 0 : (joints + kJointsAtOnce - 1) / kJointsAtOnce;
  meter.startStage("inpainting", 1.0f, std::max<std::size_t>(blocks, 1));
  std::vector<std::vector<Influence>> inpainted(system.unknown.size());
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * kJointsAtOnce;
    inpaint(system, matches, origins, first, std::min(kJointsAtOnce, joints - first), inpainted);
    meter.piece();
  }
  for (std::size_t row = 0; row < inpainted.size(); ++row)
    if (!inpainted[row].empty()) matches[system.unknown[row]].weights = std::move(inpainted[row]);
  if (options.smoothing > 0) smoothMatches(to, origins, options, matches);

  TransferredWeights out;
  for (SourceMatch& match : matches)
    out.largestCut =
        std::max(out.largestCut, pruneWeights(match.weights, options.influences, options.pruning));
  for (const std::uint32_t welded : to.weldedOfVertex) {
    out.influences.append(matches[welded].weights);
    out.origins.push_back(origins[welded]);
  }
  return out;
}

} // namespace sinew
