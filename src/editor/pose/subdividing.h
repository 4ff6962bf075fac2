// Subdivision of the model that is edited, as a step of its history.
#pragma once

#include "editor/document/document.h"
#include "rig/subdivide.h"

namespace sinew {

// Splits the triangles at the selected joint; says so where there are none.
void subdivideSelected(Document& document, Subdivision kind);

// Splits 1:4 what the shown pose bends by more than so many degrees (bentTriangles()), by the first
// view's method.
void subdivideBent(Document& document, float degrees);

} // namespace sinew
