// The parameters of a layer as controls, generated from its fields (animation/layer_kind.h).
#pragma once

#include "animation/movement.h"
#include "viewer/controls.h"

namespace sinew {

struct Viewer;

// Those of its kind, and those all kinds have. A change becomes a step of the history.
void kindFields(Viewer& viewer, Layer& layer);
void commonFields(Viewer& viewer, Layer& layer);

} // namespace sinew
