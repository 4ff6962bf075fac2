// The file of weights that belongs to a model: --weights, or the one beside it, as painting saves
// it.
#pragma once

#include "model/model.h"

#include <filesystem>
#include <string>

namespace sinew {

// Where a model's weights stand: MODEL.weights.json beside it (hero.glb.weights.json). For
// demo:NAME, NAME.weights.json in the current folder, which is written but never read by itself.
std::filesystem::path weightsPath(const std::string& model);

// Throws usageError where a word of --weights is neither empty nor "none" nor a .json file.
void checkWeightsFile(const std::string& word);

// Puts the weights of `file` on the model or, with an empty one, those of a file that stands beside
// it: the one above, or else with the model's extension left out (hero.weights.json), which becomes
// a warning of the model. "none": the model keeps its own. Returns the file that was read; empty:
// none. Throws inputError.
std::string readWeights(Model& model, const std::string& name, const std::string& file);

} // namespace sinew
