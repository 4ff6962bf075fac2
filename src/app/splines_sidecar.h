// The file of free splines that belongs to a model: --splines, or the one beside it, as the window
// saves it.
#pragma once

#include "skinning/method.h"
#include "weights/spline_set.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace sinew {

// Splines that a model got after it was read.
struct LaidSplines {
  std::shared_ptr<const SplineSet> set; // null: none
  std::shared_ptr<const Model> bare;    // the model without them; null with the set
  std::string path;                     // the file they were read from; empty: none
};

// Where a model's splines stand: MODEL.splines.json beside it (hero.glb.splines.json). For
// demo:NAME, NAME.splines.json in the current folder, which is written but never read by itself.
std::filesystem::path splinesPath(const std::string& model);

// Throws usageError where a word of --splines is neither empty nor "none" nor a .json file.
void checkSplinesFile(const std::string& word);

// Puts the splines of `file` on the model or, with an empty one, those of a file that stands beside
// it: the one above, or else with the model's extension left out (hero.splines.json), which becomes
// a warning of the model. "none": the model's own alone. After readWeights(). Throws inputError.
LaidSplines readSplines(Model& model, const std::string& name, const std::string& file);

// Where none of these methods bends by free splines and the model has some: one line that says so.
std::string splinesIgnored(const Model& model, std::span<const Method* const> methods);

} // namespace sinew
