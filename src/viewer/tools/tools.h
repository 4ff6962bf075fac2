// The tools in the view: rings and arrows about the selected joint, rings of its zone (tools.cpp),
// and in a source each the brushes, the targets of layers and the ragdoll.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"

#include <string>

namespace sinew {

// Ends the drag or stroke of an edit that has been discarded while under way, whatever the mouse
// button does.
void forgetDiscarded(Session& session, ToolState& tools);

// Handles hovering and dragging. True: the tool takes the left button; do not orbit or select.
bool toolInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
               float pixelsPerUnit);

// Draws the tools over everything else in a view.
void drawTools(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
               const View& view, std::size_t index);

// Shows what a drag has done so far, beside the mouse.
void toolReadout(const ToolState& tools);

// The brushes: strokes of the mouse, and their outline on the surface. They are like toolInput()
// and drawTools(), which call them.
bool paintInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                float pixelsPerUnit);
bool sculptInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                 float pixelsPerUnit);
void drawBrush(const Document& document, const PaintState& paint, Graphics& graphics,
               const View& view);
void drawSculptBrush(const Session& session, Graphics& graphics, const View& view);

// Handles a key while the tool is a brush; false if the brush does not use that key.
bool paintKey(const Document& document, PaintState& paint, const std::string& chord);

// The same for the targets of layers.
bool targetInput(Document& document, const RagdollPlay& play, const Ui& ui, ToolState& tools,
                 const Rect& picture, float pixelsPerUnit);
void drawTargets(const Document& document, const RagdollPlay& play, const Ui& ui,
                 const ToolState& tools, Graphics& graphics, const View& view);

// The same for the ragdoll. True: the left button drags a limb; do not orbit or select.
bool ragdollInput(const Document& document, RagdollPlay& play, const Ui& ui, const Rect& picture,
                  float pixelsPerUnit);

// Draws balls, and if shown: bodies coloured by the severity of their joints, and limits.
void drawRagdoll(Document& document, RagdollPlay& play, Graphics& graphics, const View& view);

// A colour from green to red: 0 to 1 percent of the body's height and more.
vec3 severityColor(double severity, double height);

} // namespace sinew
