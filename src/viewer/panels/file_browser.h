// The open dialog: folders, the files of known formats, a typed path, recent files.
#pragma once

#include "editor/session.h"
#include "viewer/state/ui.h"

#include <string>
#include <vector>

namespace sinew {

// Opens the dialog. A motion, a pose or zones are put on the current model.
void openBrowser(Ui& ui, Browse purpose);

void browserPanel(Session& session, Ui& ui);

} // namespace sinew
