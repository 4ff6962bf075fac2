// Weights of morph targets as glTF animates them: those of all targets of a mesh in one sampler.
#pragma once

#include "model/model.h"

#include <span>
#include <vector>

namespace sinew {

// values: per key one of every target, in their order; of a cubic sampler the
// in-tangents of all, then values, then out-tangents.
struct WeightKeys {
  std::vector<float> times;
  std::vector<float> values;
  Interpolation interpolation = Interpolation::linear;
};

// Of the morph targets of one mesh. Empty where the clip moves none of them. Tracks with the same
// times and interpolation are kept as they are; others become linear ones at the keys of all, with
// further keys where one of them steps or curves (linearKeyTimes()). A target that the clip leaves
// alone has its rest weight.
WeightKeys weightKeys(const Model& model, std::span<const std::uint32_t> targets, const Clip& clip);

} // namespace sinew
