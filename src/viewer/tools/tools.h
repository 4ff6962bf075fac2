// The tools in the view: rings and arrows about the selected joint, rings of its zone (tools.cpp),
// and in a source each the brushes, the targets of layers and the ragdoll.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"

#include <string>

namespace sinew {

// After an edit under way has been discarded: its drag or stroke ends, whatever the mouse button
// does.
void forgetDiscarded(Session& session, ToolState& tools);

// Hovering and dragging. True: the left button is the tool's, so neither orbits nor selects.
bool toolInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
               float pixelsPerUnit);

// Over everything else in a view.
void drawTools(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
               const View& view, std::size_t index);

// What a drag has done so far, beside the mouse.
void toolReadout(const ToolState& tools);

// The brushes: strokes of the mouse, and their outline on the surface. As toolInput() and
// drawTools(), which call them.
bool paintInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                float pixelsPerUnit);
bool sculptInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                 float pixelsPerUnit);
void drawBrush(const Document& document, const PaintState& paint, Graphics& graphics,
               const View& view);
void drawSculptBrush(const Session& session, Graphics& graphics, const View& view);

// A key while the tool is a brush; false if it means nothing to it.
bool paintKey(const Document& document, PaintState& paint, const std::string& chord);

// The targets of layers, likewise.
bool targetInput(Document& document, const RagdollPlay& play, const Ui& ui, ToolState& tools,
                 const Rect& picture, float pixelsPerUnit);
void drawTargets(const Document& document, const RagdollPlay& play, const Ui& ui,
                 const ToolState& tools, Graphics& graphics, const View& view);

// The ragdoll. True: the left button drags a limb, so it neither orbits nor selects.
bool ragdollInput(const Document& document, RagdollPlay& play, const Ui& ui, const Rect& picture,
                  float pixelsPerUnit);

// Balls; where they are to be shown, bodies coloured by the severity of their joints, and limits.
void drawRagdoll(Document& document, RagdollPlay& play, Graphics& graphics, const View& view);

// From green to red: 0 to 1 percent of the body's height and more.
vec3 severityColor(double severity, double height);

} // namespace sinew
