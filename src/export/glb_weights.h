// Weights of morph targets as glTF animates them: those of all targets of a mesh in one sampler.
#pragma once

#include "model/model.h"

#include <vector>

namespace sinew {

// values: per key one of every morph of the mesh, in their order; of a cubic sampler the
// in-tangents of all, then values, then out-tangents.
struct WeightKeys {
  std::vector<float> times;
  std::vector<float> values;
  Interpolation interpolation = Interpolation::linear;
};

// Empty where the clip moves none of the mesh's targets. Tracks with the same times and
// interpolation are kept as they are; others become linear ones at the keys of all, with further
// keys where one of them steps or curves (linearKeyTimes()). A target that the clip leaves alone
// has its rest weight.
WeightKeys weightKeys(const Model& model, const Mesh& mesh, const Clip& clip);

} // namespace sinew
