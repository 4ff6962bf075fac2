// Reads models on a background thread.
#pragma once

#include "app/workbench.h"
#include "editor/tasks/background.h"
#include "import/import_model.h"

namespace sinew {

// A model made ready on the thread, so that handing it over costs the window nothing.
struct Imported {
  Workbench bench;
  Outline bounds; // outlineOverClip()
};

using ImportFailure = BackgroundFailure;
using Importer = Background<Imported>;

} // namespace sinew
