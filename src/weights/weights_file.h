// Weights as a JSON file: {"joints": [NAME, ...], "weights": [[[joint, weight], ...] per vertex]},
// joint: an index into "joints"; vertices in the order of `info`; by falling weight, summing to 1.
// A model with free splines also has "splines": [NAME, ...] and "spline_weights" of the same form,
// which may sum to less than 1: the rest follows the bones. The list of a vertex without weights in
// the file (of a rigid mesh, or without splines) is empty.
#pragma once

#include "model/model.h"

#include <span>
#include <string>
#include <string_view>

namespace sinew {

std::string weightsToJson(std::span<const std::string> joints, const Influences& influences);

// Where the weights of free splines are: in this file, or with the splines in another
// (spline_set.h), without which this one can then be read.
enum class SplineWeights { here, elsewhere };

// All weights of the model: of its skins' joints, and of its splines where it has some.
std::string weightsToJson(const Model& model, SplineWeights splineWeights = SplineWeights::here);

// The spline weights of all vertices of all meshes in order; empty where a mesh follows no spline.
Influences collectSplineWeights(const Model& model);
std::vector<std::string> splineNames(const Model& model);

// Applies the weights of such a file to the model. Vertices with an empty list keep their bones'
// weights.
// Joints that a skin lacks are added in their bind pose; so a rigid mesh with weights in the file
// becomes skinned. Throws inputError with the path and the position: invalid JSON, another number
// of vertices, joints or splines that the model does not have, weights that are not numbers from 0
// to 1 or do not sum to 1.
void weightsFromJson(Model& model, std::string_view text, std::string_view path);

} // namespace sinew
