// Names of files that are written without asking for one.
#pragma once

#include "model/model.h"

#include <filesystem>
#include <string>

namespace sinew {

// Where files about a model go (a path or demo:NAME): beside it; for built-in models, and where
// that folder cannot be written, the working folder.
std::filesystem::path outputFolder(const std::string& model);

// stem-001.png, the first number that is not taken.
std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem,
                               const char* extension = ".png");

// What files about the model are called: sinew-NAME, of characters that every file system takes.
std::string makeStem(const Model& model);

} // namespace sinew
