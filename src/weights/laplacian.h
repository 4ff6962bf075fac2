// The cotangent Laplacian of a triangle mesh and the areas of its vertices, for arbitrary meshes
// with needle triangles, non-manifold edges and several components.
//
// All edges are first lengthened slightly so that no triangle is flat ("mollified": Sharp and
// Crane, A Laplacian for nonmanifold triangle meshes, 2020), and an edge whose two cotangents have
// a negative sum counts as 0: then the matrix cannot make a weight negative.
#pragma once

#include "weights/surface.h"

#include <Eigen/SparseCore>

#include <vector>

namespace sinew {

struct Laplacian {
  // Symmetric, rows sum to 0, off-diagonals <= 0: minus the Laplacian, times the areas. No length
  // unit. Lower triangle and diagonal only.
  Eigen::SparseMatrix<double> stiffness;
  std::vector<double> areas; // lumped: a third of each triangle; square length
};

Laplacian cotangentLaplacian(const WeightSurface& surface);

} // namespace sinew
