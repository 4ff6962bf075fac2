// The tools in the view: rings and arrows about the selected joint, rings of its zone.
#pragma once

#include "viewer/panels.h"
#include "viewer/state.h"

namespace sinew {

// A node whose joint the tools are about: the selected one, where tools can do something.
std::optional<std::uint32_t> toolNode(const Viewer& viewer);

// Hovering and dragging. True: the left button is the tool's, so neither orbits nor selects.
bool toolInput(Viewer& viewer, const Rect& picture, float pixelsPerUnit);

// Over everything else in a view.
void drawTools(Viewer& viewer, const View& view);

// What a drag has done so far, beside the mouse.
void toolReadout(const Viewer& viewer);

} // namespace sinew
