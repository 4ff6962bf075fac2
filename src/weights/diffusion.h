// Weights that spread over the surface: (-Laplacian + H) w_i = H p_i for every bone i (Wareham and
// Lasenby 2008, equation 1, docs/methods.md, section 9), one factorisation for all bones.
#pragma once

#include "core/progress.h"
#include "weights/initial_weights.h"
#include "weights/surface.h"

#include <Eigen/SparseCore>

#include <span>
#include <vector>

namespace sinew {

// The cotangent Laplacian of a triangle mesh and the areas of its vertices, for arbitrary meshes
// with needle triangles, non-manifold edges and several components.
//
// All edges are first lengthened slightly so that no triangle is flat ("mollified": Sharp and
// Crane, A Laplacian for nonmanifold triangle meshes, 2020), and an edge whose two cotangents have
// a negative sum counts as 0: then the matrix cannot make a weight negative.
struct Laplacian {
  // Symmetric, rows sum to 0, off-diagonals <= 0: minus the Laplacian, times the areas. No length
  // unit. Lower triangle and diagonal only.
  Eigen::SparseMatrix<double> stiffness;
  std::vector<double> areas; // lumped: a third of each triangle; square length
};

Laplacian cotangentLaplacian(const WeightSurface& surface);

// Weights of welded vertices, bone by bone: bone b at vertex v is values[b * vertices + v].
struct WeightField {
  std::size_t vertices = 0;
  std::vector<float> values;
};

struct DiffusionTimes {
  double factorSeconds = 0.0;
  double solveSeconds = 0.0;
};

// A connected component without an anchored vertex has no solution: its weights are 0. Elsewhere
// weights are at least 0 and sum to 1 up to rounding. Throws Error if memory does not suffice, and
// Cancelled.
WeightField diffuse(const WeightSurface& surface, const InitialWeights& initial, std::size_t bones,
                    DiffusionTimes& times, ProgressMeter* meter = nullptr);

// The initial weights without diffusion; 0 where there are none.
WeightField undiffused(const WeightSurface& surface, const InitialWeights& initial,
                       std::size_t bones);

// Per connected component: whether it has an anchored vertex.
std::vector<bool> anchoredComponents(const WeightSurface& surface, const InitialWeights& initial);

} // namespace sinew
