// The ragdoll under the mouse and in the picture: dragging a limb, shapes and limits.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"

namespace sinew {

// True: the left button drags a limb, so it neither orbits nor selects.
bool ragdollInput(const Document& document, RagdollPlay& play, const Ui& ui, const Rect& picture,
                  float pixelsPerUnit);

// Balls; where they are to be shown, bodies coloured by the severity of their joints, and limits.
void drawRagdoll(Document& document, RagdollPlay& play, Graphics& graphics, const View& view);

// From green to red: 0 to 1 percent of the body's height and more.
vec3 severityColor(double severity, double height);

} // namespace sinew
