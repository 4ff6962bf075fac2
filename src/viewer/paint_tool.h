// Painting weights in the view: the brush under the mouse, strokes, and what they do to rig and
// GPU.
#pragma once

#include "viewer/panels.h"
#include "viewer/state.h"

#include <string>

namespace sinew {

// Whether the tool is the brush and there is something to paint on.
bool painting(const Viewer& viewer);

// What is painted: the selected joint's node, or a spline of the model; none: no joint is selected.
const PaintLayer& paintLayer(Viewer& viewer);
std::optional<std::uint32_t> paintTarget(const Viewer& viewer);
std::string paintTargetName(const Viewer& viewer);

// The mouse of this frame; true if it is the brush's, so that it does not turn the camera.
bool paintInput(Viewer& viewer, const Rect& picture, float pixelsPerUnit);

// The brush on the surface.
void drawBrush(Viewer& viewer, const View& view);

// A key while the tool is the brush; false if it means nothing to it.
bool paintKey(Viewer& viewer, const std::string& chord);

// For a new model: the brush stays, what is known of the model goes.
PaintState startPainting(const Viewer& viewer);

// Whether painted weights are of the vertices and joints of the model as it is now.
bool fitsModel(const PaintedRig& weights, const Viewer& viewer);

// The weights as the model was opened. Before anything of it has been painted.
const PaintedRig& ownWeights(Viewer& viewer);

// The weights of the history on rig and GPU, in place of `was`; and, after a stroke, the methods
// that took too long to be bound meanwhile.
void applyPaint(Viewer& viewer, const PaintedRig& was);

// The colours of what is painted.
void showPaintedField(Viewer& viewer);

// The model with the weights as they are painted now.
Model paintedModel(const Viewer& viewer);
void saveWeights(Viewer& viewer);

} // namespace sinew
