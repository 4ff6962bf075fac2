// A zone's curve as a picture in a panel, whose points the mouse adds, drags and removes.
#pragma once

#include "rig/blend_curve.h"

#include <cstddef>
#include <vector>

namespace sinew {

struct CurveEdit {
  BlendCurve curve;     // the curve as edited
  bool changed = false; // changed in this frame, or a change has ended
  bool done = false;    // the change is a step of its own
};

// Draws a curve over the whole width. grabbed: the dragged point, kept from frame to frame; -1:
// none. A curve that is not drawn by hand is shown and cannot be changed.
CurveEdit curveCanvas(const BlendCurve& curve, int& grabbed);

// The points with one moved towards a fraction, as far as it can go between its neighbours.
std::vector<glm::vec2> withPointMoved(std::vector<glm::vec2> points, std::size_t point,
                                      const glm::vec2& to);

// The points with one more, and its index; the points as they were and -1 where there is no room.
struct AddedPoint {
  std::vector<glm::vec2> points;
  int index = -1;
};
AddedPoint withPointAdded(std::vector<glm::vec2> points, const glm::vec2& at);

} // namespace sinew
