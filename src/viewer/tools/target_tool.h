// The targets of layers in the view: what inverse kinematics reaches for, what a head looks at, and
// what an elbow points to. Each is a mark that is dragged, on the screen's plane or, for the layer
// chosen in its panel, along an axis.
#pragma once

#include "editor/session.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"

namespace sinew {

struct TargetMark {
  std::size_t layer = 0; // index of a layer in the stack
  bool pole = false;     // what the middle joint points to; else what the tip is to reach
  vec3 place{0.0f};      // model space, formulas of the moment included
  vec3 from{0.0f};       // the joint it is for, as posed
  float missed = 0.0f;   // by a joint that is to be there, at weight 1
};

// Targets of layers that work now; none while their tab is not in front, or layers are not played.
std::vector<TargetMark> targetMarks(const Document& document, const RagdollPlay& play,
                                    const Ui& ui);

// Hovering and dragging. True: the left button drags a target.
bool targetInput(Document& document, const RagdollPlay& play, const Ui& ui, ToolState& tools,
                 const Rect& picture, float pixelsPerUnit);

// Over everything else in a view.
void drawTargets(const Document& document, const RagdollPlay& play, const Ui& ui,
                 const ToolState& tools, Graphics& graphics, const View& view);

} // namespace sinew
