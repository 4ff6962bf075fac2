// Strokes of the brush over the posed surface: stamps at even distances between the places where
// the mouse was seen, each applied in bind space. A view's pixels count from its upper left.
#pragma once

#include "editor/paint/painting.h"
#include "editor/pose/editing.h"

namespace sinew {

// The posed surface of a view, updated where pose, camera or weights have changed. A stroke stays
// on the surface it began on, or its effect would move the brush.
const PaintPick& paintSurface(const Document& document, PaintState& paint, std::size_t index,
                              const View& view);
bool sameView(const View& a, const View& b); // camera and size

// How much larger the posed model is than in bind space: by the joint with the largest weight
// there.
float posedScale(const Workbench& workbench, const SurfaceHit& hit);

// Begins a stroke of the selected joint at paint.hover; if nothing can be painted, a message
// gives the reason.
void startStroke(Document& document, PoseEditing& posing, PaintState& paint, std::size_t index,
                 vec2 pixel, BrushMode mode);
void continueStroke(Document& document, PoseEditing& posing, PaintState& paint, const View& view,
                    vec2 pixel);
void endStroke(Document& document, PaintState& paint); // a step of the history

} // namespace sinew
