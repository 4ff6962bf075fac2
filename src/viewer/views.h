// The views of the viewer: one to six of the same model, pose and camera, each by its own method.
// The methods are Settings::method; here is which of them the keys and panels mean, and where each
// is in the picture.
#pragma once

#include "app/method_list.h"
#include "render/view.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct Viewer;

struct Views {
  std::size_t active = 0; // whose method keys and panels change
  bool alone = false;     // the active view fills the picture
};

std::size_t viewCount(const Viewer& viewer);
std::size_t activeView(const Viewer& viewer); // of a view there is

MethodChoice activeChoice(const Viewer& viewer);
void setActiveChoice(Viewer& viewer, const MethodChoice& choice);

// Adds a view after the last, with the first method no view has yet, and makes it active. Says so
// where there is no room.
void addView(Viewer& viewer);
// Removes the active view, unless it is the only one.
void removeView(Viewer& viewer);
void nextView(Viewer& viewer, int step);
void toggleAlone(Viewer& viewer);

// Colours by the distance from the active view's method, or back.
void toggleDifference(Viewer& viewer);

// Where each view is in the framebuffer (pixels from its lower left). Views that are not shown have
// no width.
std::vector<Viewport> shownCells(const Viewer& viewer);

struct ViewPoint {
  std::size_t view = 0;
  vec2 pixel{0.0f}; // from the view's upper left, as screenFromWorld() has it
};

// The view at a pixel of the picture, counted from the picture's upper left.
std::optional<ViewPoint> viewPointAt(const Viewer& viewer, vec2 pixel);

// The same in the coordinates of a view that it may lie outside of: where a drag has gone.
vec2 pixelInView(const Viewer& viewer, std::size_t view, vec2 pixel);

} // namespace sinew
