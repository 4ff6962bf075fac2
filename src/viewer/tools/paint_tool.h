// The brushes in the view: strokes of the mouse, their outline on the surface, their keys.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_state.h"

#include <optional>
#include <string>

namespace sinew {

// The mouse of this frame; true if it is the brush's, so that it does not turn the camera.
bool paintInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                float pixelsPerUnit);

// Looks for the surface under the mouse, for a brush: paint.hover, and where in which view it is;
// nothing where the mouse is not over it, or does something else.
std::optional<ViewPoint> brushOver(Session& session, const Ui& ui, vec2 pixel);

// A brush's circle on the surface at paint.hover.
void drawBrushOutline(const Document& document, const PaintState& paint, const glm::u8vec4& color,
                      Graphics& graphics, const View& view);

// The brush on the surface.
void drawBrush(const Document& document, const PaintState& paint, Graphics& graphics,
               const View& view);

// A key while the tool is the brush; false if it means nothing to it.
bool paintKey(const Document& document, PaintState& paint, const std::string& chord);

// Those that sculpt a corrective shape: as paintInput() and drawBrush().
bool sculptInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                 float pixelsPerUnit);
void drawSculptBrush(const Session& session, Graphics& graphics, const View& view);

} // namespace sinew
