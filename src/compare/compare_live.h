// A report's worst moments to turn and to look at from all sides: a page within the page.
#pragma once

#include "compare/compare_pictures.h"

#include <span>
#include <string>

namespace sinew {

// An <iframe> that holds the whole page, by every method of the comparison, linear blending first
// where it is one of them. Empty for a model with morph targets, which do not move in a page.
std::string liveView(const Comparison& comparison, const Workbench& bench, const Settings& settings,
                     std::span<const WorstPicture> places);

} // namespace sinew
