// The trail of the selected joint: where it goes over the clip, with the layers on it.
#pragma once

#include "editor/document/document.h"

namespace sinew {

// Model space, at even times over the playback range; empty without a clip or a selected joint.
// Made again when the clip, its range, the layers or the joint have changed. Springs of layers run
// along.
const Trail& getTrail(Document& document);

} // namespace sinew
