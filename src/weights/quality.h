// How good weights are: how near to those that an artist made, how much of them lies where it
// should not, and how smooth they are over the surface.
#pragma once

#include "weights/surface.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct WeightDistance {
  double mean = 0.0;    // sum of |difference| over the joints, mean over the vertices; 2 at most
  double largest = 0.0; // of a vertex
  // Share of the weight on joints that neither have some (above a hundredth) in the wanted weights
  // nor are parent or child of a joint that has.
  double bleeding = 0.0;
};

// parents: of every joint, itself for a root. Vertices that want nothing are left aside; both have
// as many vertices, and joints below parents.size().
WeightDistance distanceBetween(const Influences& weights, const Influences& wanted,
                               std::span<const std::uint32_t> parents);

struct WeightSmoothness {
  // Sum over the joints of the integral of |gradient w|^2 over the surface, by the cotangent
  // Laplacian C: sum of w^T C w. Without unit, whatever the scale: a tube of circumference c whose
  // weights pass from one joint to another over a length l has 2 c / l. Lower is smoother.
  double dirichlet = 0.0;
  // Along an edge of the mesh: how much weight passes to other joints, half the sum of
  // |difference|; the largest, and that which a thousandth of the edges exceed. 1: everything.
  double largestStep = 0.0;
  double steepStep = 0.0;
};

// influences: of the vertices the surface was made from.
WeightSmoothness smoothnessOf(const WeightSurface& surface, const Influences& influences);

} // namespace sinew
