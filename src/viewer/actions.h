// The table of actions of the window.
#pragma once

#include "viewer/state/action.h"

#include <vector>

namespace sinew {

std::vector<Action> viewerActions();

} // namespace sinew
