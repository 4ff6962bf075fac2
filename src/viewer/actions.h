// The table of actions of the window.
#pragma once

#include "viewer/state/action.h"

#include <vector>

namespace sinew {

struct Session;

std::vector<Action> viewerActions();

// What else the list under "?" finds: joints and clips of the model, recent files, settings.
std::vector<Action> sessionActions(const Session& session);

} // namespace sinew
