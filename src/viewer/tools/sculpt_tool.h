// The brushes that sculpt a corrective shape, in the view: strokes of the mouse and their outline.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"

namespace sinew {

// As paintInput().
bool sculptInput(Session& session, const Ui& ui, ToolState& tools, const Rect& picture,
                 float pixelsPerUnit);

void drawSculptBrush(const Session& session, Graphics& graphics, const View& view);

} // namespace sinew
