// The picture between the panels: the view of the moment, its drawing, mouse input and screenshots.
#pragma once

#include "viewer/panels/panels.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tool_state.h"
#include "viewer/window/window.h"

namespace sinew {

// All views into the window's framebuffer, timed.
void drawViewport(Session& session, const Ui& ui, const ToolState& tools, Graphics& graphics,
                  Statistics& statistics);

// Orbit, pan, zoom, a click on a view and on a bone. Only what ImGui does not want for a panel.
void mouseInput(Session& session, Ui& ui, ToolState& tools, const Rect& rect, float pixelsPerUnit);

// Saves what was asked for since the last frame: call with `panels` false before the interface is
// drawn, and with true after.
void saveScreenshots(Session& session, Ui& ui, const Window& window, bool panels);

} // namespace sinew
