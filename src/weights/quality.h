// Quality of weights: the distance to an artist's weights, bleeding to wrong joints, and smoothness
// over the surface.
#pragma once

#include "model/mesh.h"
#include "weights/surface.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct WeightDistance {
  double mean = 0.0;    // sum of |difference| over the joints, mean over the vertices; 2 at most
  double largest = 0.0; // the largest such sum of a vertex
  // Fraction of the weight on joints that neither have weight (above a hundredth) in the wanted
  // weights nor are parent or child of such a joint.
  double bleeding = 0.0;
};

// parents: of every joint, itself for a root. Vertices without wanted weights are ignored; both
// have the same number of vertices, and joints below parents.size().
WeightDistance distanceBetween(const Influences& weights, const Influences& wanted,
                               std::span<const std::uint32_t> parents);

struct WeightSmoothness {
  // Sum over the joints of the integral of |gradient w|^2 over the surface, by the cotangent
  // Laplacian C: sum of w^T C w. Independent of scale: a tube of circumference c whose weights
  // change from one joint to another over a length l has 2 c / l. Lower is smoother.
  double dirichlet = 0.0;
  // Weight that changes joints along an edge of the mesh, half the sum of |difference|; the
  // largest, and the 99.9th percentile. 1: all weight.
  double largestStep = 0.0;
  double steepStep = 0.0;
};

// influences: of the vertices the surface was made from.
WeightSmoothness measureSmoothness(const WeightSurface& surface, const Influences& influences);

// The L1 difference between two sets of weights of the same vertices and joints: per vertex, the
// sum over joints of |a - b|. It is 0 for the same weights, 2 for none in common.
struct WeightDifference {
  double mean = 0.0;
  double largest = 0.0;
  std::vector<double> joints; // per joint its part of the mean, up to the largest index
};
WeightDifference weightDifference(const Influences& a, const Influences& b);

} // namespace sinew
