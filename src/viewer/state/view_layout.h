// Where each view is in the picture, and which one a pixel belongs to.
#pragma once

#include "editor/document/document.h"
#include "viewer/state/ui.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinew {

// The most views that can be told apart side by side. More views are shown in pages.
inline constexpr std::size_t kViewsPerPage = 6;

// The views from `first` up to `last`, without it: the page that has the active one.
struct ViewPage {
  std::size_t first = 0;
  std::size_t last = 0;
};
ViewPage shownPage(const Document& document);

// The cells in framebuffer pixels from the lower left. Views that are not shown have no width.
std::vector<Viewport> shownCells(const Document& document, const Ui& ui);

// Whether the two views are one picture with a divider.
bool isDivided(const Document& document);
// The visible part of each cell: all of it, or its side of the divider.
std::vector<Viewport> visibleCells(const Document& document, const Ui& ui);

struct ViewPoint {
  std::size_t view = 0;
  vec2 pixel{0.0f}; // from the view's upper left, as in screenFromWorld()
};

// The view at a pixel of the picture, counted from the picture's upper left.
std::optional<ViewPoint> anyViewAt(const Document& document, const Ui& ui, vec2 pixel);
// The same, but only if that view shows the document: tools work only there.
std::optional<ViewPoint> viewPointAt(const Document& document, const Ui& ui, vec2 pixel);

// The pixel in the coordinates of a given view, even outside of it: where a drag has gone.
vec2 pixelInView(const Document& document, const Ui& ui, std::size_t view, vec2 pixel);

// Converts a rectangle in ImGui units to framebuffer pixels.
Viewport toViewport(const Rect& rect, float pixelsPerUnit, int framebufferHeight);

// One view in its cell. All have the same size, and those of the document the same camera.
View viewIn(const Document& document, std::size_t view, const Viewport& cell);
View currentView(const Document& document, const Ui& ui, std::size_t view);
// The document's view in the active cell, whatever is shown there.
View currentView(const Document& document, const Ui& ui);

// Switches between perspective and orthographic. What the camera looks at keeps its size.
void switchProjection(Document& document, const Ui& ui);

// The eye of the active view, model space.
vec3 computeEye(const Document& document, const Ui& ui);

// The mouse in pixels from the picture's upper left, as viewPointAt() takes it.
vec2 mousePixel(const Rect& picture, float pixelsPerUnit);

} // namespace sinew
