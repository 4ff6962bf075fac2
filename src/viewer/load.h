// What the background thread does to make a model ready for the window.
#pragma once

#include "app/settings.h"
#include "viewer/importer.h"

#include <string>

namespace sinew {

// model: a file or demo:NAME; motion: a file whose animation is put on it, or empty; zones: a file,
// or empty for the one beside the model: where that is not usable, the model comes without it and
// says so in its warnings. movement: a file, or empty for none.
Importer::Load loadForViewer(std::string model, std::string motion, std::string zones,
                             std::string movement, Settings settings);

// A message "path: what; remedy" in its parts; those it does not have are empty.
struct MessageParts {
  std::string file, what, remedy;
};
MessageParts partsOf(const std::string& message);

} // namespace sinew
