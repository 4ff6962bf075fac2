// A report's worst moments to turn and to look at from all sides: a page within the page.
#pragma once

#include "compare/compare_pictures.h"

#include <span>
#include <string>

namespace sinew {

// An <iframe> that holds the whole page, by every method of the comparison, the one from which
// distances are measured first. Empty without pictures.
std::string liveView(const Comparison& comparison, const Workbench& workbench,
                     const Settings& settings, std::span<const WorstPicture> places);

} // namespace sinew
