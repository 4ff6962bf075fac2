// Clips with fewer keys: linear ones at equal steps, as far apart as a stated error allows, which
// is measured at the vertices by linear blending.
#pragma once

#include "model/model.h"

#include <vector>

namespace sinew {

struct FewerKeys {
  // In the order of the model's. A track that never leaves the node's own place is empty, one that
  // never changes has a single key; tracks of steps and of morph targets are as they were.
  std::vector<Clip> clips;
  double error = 0.0; // largest move of a vertex, as a fraction of the model's size
};

// limit: the largest error that is allowed.
FewerKeys fewerKeys(const Model& model, double limit);

// The distance from each node to the skin that it moves, which turns an error of its transform into
// a distance.
struct NodeReach {
  std::vector<double> ofNode;      // at rest
  std::vector<double> parentScale; // how long the axes of the node's parent are in the model
  double size = 0.0;               // size of the model
};

NodeReach nodeReach(const Model& model);

} // namespace sinew
