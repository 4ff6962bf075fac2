// How far from each node the skin is that it moves: what an error of its transform is worth in
// distances.
#pragma once

#include "model/model.h"

#include <vector>

namespace sinew {

struct NodeReach {
  std::vector<double> ofNode;      // at rest
  std::vector<double> parentScale; // how long the axes of the node's parent are in the model
  double size = 0.0;               // of the model
};

NodeReach nodeReach(const Model& model);

} // namespace sinew
