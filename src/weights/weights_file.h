// Weights as a JSON file: {"joints": [NAME, ...], "weights": [[[joint, weight], ...] per vertex]},
// joint an index into "joints", vertices as `info` counts them, by falling weight, summing to 1.
#pragma once

#include "model/mesh.h"

#include <span>
#include <string>

namespace sinew {

std::string weightsToJson(std::span<const std::string> joints, const Influences& influences);

} // namespace sinew
