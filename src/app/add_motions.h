// The clips of several files on one model.
#pragma once

#include "app/load_model.h"

#include <string>
#include <vector>

namespace sinew {

struct AddedMotion {
  std::vector<Clip> clips;            // for the model's nodes
  std::vector<std::string> unmatched; // the motion's joints the model does not have
};

// The clips of a motion as the model moves by them (applyMotion()). A clip without a name, or with
// one that is in `taken`, is named after the file, and numbered where that is taken too; the names
// are added to `taken`. Throws as loadModel() and applyMotion() do.
AddedMotion motionFor(const Model& model, const std::string& file, const LoadOptions& options,
                      std::vector<std::string>& taken);

// The same for several files; the clips follow the model's own. Joints without a match are a
// warning of the model.
void addMotions(Model& model, const std::vector<std::string>& files, const LoadOptions& options);

std::vector<std::string> clipNames(const Model& model);

} // namespace sinew
