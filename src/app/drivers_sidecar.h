// The file of pose drivers that belongs to a model: --drivers, or the one beside it.
#pragma once

#include "animation/drivers/driver_set.h"

#include <filesystem>
#include <string>

namespace sinew {

// Pose drivers and corrective shapes that a model got after it was read.
struct ModelDrivers {
  DriverSet set;
  std::string path; // the file they were read from; empty: none
};

// Where a model's drivers stand: MODEL.drivers.json beside it (hero.glb.drivers.json). For
// demo:NAME, NAME.drivers.json in the current folder, which is written but never read by itself.
std::filesystem::path driversPath(const std::string& model);

// Throws usageError where a word of --drivers is neither empty nor "none" nor a .json file.
void checkDriversFile(const std::string& word);

// Reads `file` or, with an empty one, the file that stands beside the model: the one above, or else
// with the model's extension left out (hero.drivers.json), which becomes a warning of the model.
// "none": no drivers. Shapes become morph targets of the model. Before it is subdivided. Throws
// inputError.
ModelDrivers readDrivers(Model& model, const std::string& name, const std::string& file);

} // namespace sinew
