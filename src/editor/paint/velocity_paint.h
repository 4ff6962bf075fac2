// The painted strength of velocity skinning: a map over the surface, which the brush of weights
// paints as the share of one item, "moves", against another, "stays".
#pragma once

#include "editor/document/document.h"
#include "weights/paint_layer.h"

#include <span>
#include <vector>

namespace sinew {

// All vertices of the rig in one group.
PaintLayer strengthLayer(const Rig& rig);
// "moves"; what is taken from it goes to "stays".
PaintItem strengthItem();

// One number per vertex, 0 to 1, as the shares of the two; and back.
PaintedWeights paintedStrength(std::span<const float> strength);
std::vector<float> collectStrength(const PaintedWeights& painted);

// The strength that the file beside the opened model gives each vertex: 1 without one.
std::vector<float> openedStrength(const Document& document);

// Applies the history's map if it differs from that of `was`; returns whether it did.
bool applyStrength(Document& document, const PaintedWeights& own, const Edit& was);

} // namespace sinew
