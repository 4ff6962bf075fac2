// The ragdoll under the mouse and in the picture: dragging a limb, shapes and limits.
#pragma once

#include "viewer/panels.h"
#include "viewer/state.h"

namespace sinew {

// True: the left button has hold of a limb, so neither orbits nor selects.
bool ragdollInput(Viewer& viewer, const Rect& picture, float pixelsPerUnit);

// Balls; where they are to be shown, bodies coloured by the severity of their joints, and limits.
void drawRagdoll(Viewer& viewer, const View& view);

// From green to red: 0 to 1 percent of the body's height and more.
vec3 severityColor(double severity, double height);

} // namespace sinew
