// The parameters of a layer as controls, generated from its fields (animation/layer_kind.h).
#pragma once

#include "animation/layers/layer_stack.h"
#include "editor/document/document.h"
#include "viewer/panels/controls.h"

namespace sinew {

// The fields of its kind, and those of all kinds. A change becomes a step of the history.
void kindFields(Document& document, Layer& layer);
void commonFields(Document& document, Layer& layer);

} // namespace sinew
