// Weights as a JSON file: {"joints": [NAME, ...], "weights": [[[joint, weight], ...] per vertex]},
// joint an index into "joints", vertices as `info` counts them, by falling weight, summing to 1.
// Of a model with free splines also "splines": [NAME, ...] and "spline_weights", likewise. The
// list of a vertex that is not for the file to say (of a rigid mesh, or of one that follows no
// spline) is empty.
#pragma once

#include "model/model.h"

#include <span>
#include <string>
#include <string_view>

namespace sinew {

std::string weightsToJson(std::span<const std::string> joints, const Influences& influences);

// All weights of the model: of its skins' joints, and of its splines where it has some.
std::string weightsToJson(const Model& model);

// Puts the weights of such a file on the model. Vertices with an empty list keep what they have.
// A skin gets joints that it lacks as the bind pose has them, and so a rigid mesh that the file has
// weights for becomes skin. Throws
// inputError naming the path and the place: no JSON, another number of vertices, joints or splines
// that the model does not have, weights that are not numbers from 0 to 1 or do
// not sum to 1.
void weightsFromJson(Model& model, std::string_view text, std::string_view path);

} // namespace sinew
