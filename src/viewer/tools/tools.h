// The tools in the view: rings and arrows about the selected joint, rings of its zone.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"

namespace sinew {

// A node whose joint the tools are about: the selected one, where tools can do something.
std::optional<std::uint32_t> toolNode(const Document& document, const BindState& bind,
                                      const RagdollPlay& play, const Ui& ui);

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

} // namespace sinew
