// What a .x file holds and sinew does not use.
#pragma once

#include "import/unused_counts.h"
#include "import/x/document.h"

namespace sinew {

// Lines for Model::warnings. counts: what the readers have counted already.
std::vector<std::string> unusedParts(const XDocument& document, UnusedCounts counts);

} // namespace sinew
