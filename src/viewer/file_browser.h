// The open dialog: folders, the files of known formats, a typed path, recent files.
#pragma once

#include "viewer/state.h"

namespace sinew {

// A motion, a pose or zones are put on the current model.
void openBrowser(Viewer& viewer, Browse purpose);

void browserPanel(Viewer& viewer);

// Lower case with the dot: what the importer has been tried with.
std::vector<std::string> modelExtensions();

} // namespace sinew
