// The one way from a model's sources to a workbench: the command line, the window and the models
// beside its document open by it.
#pragma once

#include "app/model_sources.h"
#include "app/sidecar.h"
#include "app/workbench.h"
#include "import/isolated_import.h"

#include <vector>

namespace sinew {

struct OpenOptions {
  double seconds = 60.0;        // reading longer is a limit error, for each file
  bool textures = true;         // false: they are looked at, not decoded
  bool skipBadSidecars = false; // a file beside the model that is not usable becomes a warning
  ImportProgress progress = {}; // false cancels
};

// All kinds, in the order in which they are read.
std::vector<const Sidecar*> sidecars();
// Throws usageError for a word that names no such file.
void checkSidecars(const ModelSources& sources);

// The pose and the morph targets of the sources are left to holdSources(). Throws Error or
// Cancelled.
Workbench openSources(const ModelSources& sources, const Settings& settings,
                      const OpenOptions& options);

// Holds the pose and the morph targets that the sources name.
void holdSources(Workbench& workbench, const ModelSources& sources, const Settings& settings);

} // namespace sinew
