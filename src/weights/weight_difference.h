// The difference of two sets of weights of the same vertices and joints.
#pragma once

#include "model/mesh.h"

#include <vector>

namespace sinew {

// L1 per vertex, the sum over joints of |a - b|: 0 for the same weights, 2 for none in common.
struct WeightDifference {
  double mean = 0.0;
  double largest = 0.0;
  std::vector<double> joints; // per joint its part of the mean, up to the largest index
};
WeightDifference weightDifference(const Influences& a, const Influences& b);

} // namespace sinew
