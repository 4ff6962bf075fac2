// What direct delta mush needs of every vertex: Omega of Le and Lewis 2019 (Direct Delta Mush
// Skinning and Variants, variant 0), about the vertex' smoothed position.
//
// With B = (I + lambda L)^-rounds (rig/surface_smoothing), u the bind positions and w the weights,
//
//   Psi_ij   = sum_k B_ik w_kj [u_k u_k^T, u_k; u_k^T, 1],      p_i = sum_k B_ik u_k
//   Omega_ij = (1 - alpha) Psi_ij + alpha w'_ij [p_i p_i^T, p_i; p_i^T, 1]
//
// where w' is w smoothed with kappa. Taken about p_i, the position part of all Omega_ij of a vertex
// adds up to 0, and the second term to a weight alone.
#pragma once

#include "rig/surface_smoothing.h"

#include <array>

namespace sinew {

// A joint's part at a point (rig/surface_smoothing): the matrix [second, first; first^T, weight].
struct SmoothedInfluence {
  std::uint32_t joint = 0;
  double weight = 0.0;
  glm::dvec3 first{0.0};
  std::array<double, 6> second{}; // xx, yy, zz, xy, xz, yz
};

struct SmoothedWeightsOptions {
  SmoothingStrength strength;
  double kappa = 0.0;
  double alpha = 0.0;
  std::size_t limit = 4; // joints a point, those with the largest trace
};

struct SmoothedWeights {
  std::vector<glm::dvec3> centers;     // p_i
  Lists<SmoothedInfluence> influences; // per point, weights falling and summing to 1
  double largestCut = 0.0;             // the largest sum of weights that a point has lost
};

// The trace is measured in units of the point's surroundings: weight + trace(second) over that of
// all joints. Where these surroundings have no extent in some direction, a thousandth of their
// extent is added in all of them, so that a rotation is always determined.
SmoothedWeights smoothedWeights(const Rig& rig, const Influences& weights,
                                const SurfaceSmoothing& surface,
                                const SmoothedWeightsOptions& options);

} // namespace sinew
