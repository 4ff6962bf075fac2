// What is written over a view, in the window and in pictures.
#pragma once

#include "app/settings.h"
#include "app/workbench.h"

#include <string>

namespace sinew {

// The method of a view, and with a difference shown its largest and mean distance from the
// reference; lines are separated by '\n'. view: index into Workbench::bound.
std::string captionOf(const Workbench& bench, const Settings& settings, std::size_t view);

// The legend of the differences' colours: what they are, and the value at their end.
std::string differenceTitle(const Settings& settings);
std::string differenceEnd(const Workbench& bench, const Settings& settings);

} // namespace sinew
