// The animation sets of a .x file as clips.
#pragma once

#include "import/unused_counts.h"
#include "import/x/frames.h"
#include "model/model.h"

namespace sinew {

// A clip for each set, and one for animations outside of sets. Keys of matrices become those of
// translation, rotation and scale, as Direct3D's own player makes them; between keys all are
// linear. Throws XError where keys have other numbers of values than their type.
void readXClips(const XDocument& document, const XFrames& frames, RepairLog& repairs,
                UnusedCounts& unused, Model& model);

} // namespace sinew
