// Cameras and lights of a Collada file, which sinew neither draws nor changes: files that it writes
// have them.
#pragma once

#include "import/collada/nodes.h"
#include "import/unused_counts.h"

namespace sinew {

// A node has the first camera and the first light that it shows.
void readColladaSceneParts(const ColladaDocument& document, ColladaNodes& nodes,
                           UnusedCounts& unused);

} // namespace sinew
