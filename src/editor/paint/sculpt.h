// Brushes that move the posed surface, Push and Smooth: what they do becomes a corrective shape of
// this pose (app/corrective.h), by the method of the view they are used in. A stroke is one step of
// the history.
#pragma once

#include "editor/paint/painting.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

enum class SculptBrush {
  push,   // along the surface's normal
  smooth, // towards the mean of the neighbours
};

struct SculptStroke {
  std::size_t view = 0;
  vec2 last{0.0f};      // last position of the mouse, in that view
  float carried = 0.0f; // pixels since the last stamp
  SculptBrush brush = SculptBrush::push;
  bool inward = false;           // pulls instead
  PaintSurface surface = {};     // the posed surface when the stroke began
  std::vector<vec3> places = {}; // the rig's vertices in model space
  bool waits = false;            // `places` have no shape yet
};

struct SculptState {
  SculptBrush brush = SculptBrush::push; // radius and strength are in PaintChoices::brush
  std::optional<SculptStroke> stroke;
  double shapeMs = 0.0; // last time to make the shape
};

// Whether the tool is one of these brushes and there is something to sculpt.
bool sculpting(const Document& document);

// Begins a stroke at paint.hover, or at a pixel goes on with it. paint: surface and brush.
void startSculpt(Document& document, PaintState& paint, SculptState& sculpt, std::size_t view,
                 vec2 pixel, SculptBrush brush, bool inward);
void continueSculpt(Document& document, PaintState& paint, SculptState& sculpt, const View& view,
                    vec2 pixel);
void endSculpt(Document& document, SculptState& sculpt); // a step of the history

// One stamp on the places of a stroke. radius: model space; strength: 0 to 1.
void sculptStamp(SculptStroke& stroke, const SurfacePoint& center, const Brush& brush,
                 float radius);

// The corrective shape that the pose shown now has; empty: a stroke makes one.
std::string shapeHere(const Document& document);

} // namespace sinew
