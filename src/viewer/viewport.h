// The picture between the panels: the view of the moment, its drawing, mouse input and screenshots.
#pragma once

#include "viewer/panels.h"
#include "viewer/state.h"
#include "viewer/window.h"

namespace sinew {

// Where a rectangle of ImGui units lies in the framebuffer.
Viewport viewportOf(const Rect& rect, float pixelsPerUnit, int framebufferHeight);

// Of one view; without a number, of the active one. All have the same camera and the same size.
View currentView(const Viewer& viewer, std::size_t view);
View currentView(const Viewer& viewer);

// All views into the window's framebuffer, timed.
void drawViewport(Viewer& viewer);

// The mouse in pixels from the picture's upper left, as viewPointAt() takes it.
vec2 mousePixel(const Rect& picture, float pixelsPerUnit);

// Orbit, pan, zoom, a click on a view and on a bone. Only what ImGui does not want for a panel.
void mouseInput(Viewer& viewer, const Rect& rect, float pixelsPerUnit);

// Saves what was asked for since the last frame: call with `panels` false before the interface is
// drawn, and with true after.
void saveScreenshots(Viewer& viewer, const Window& window, bool panels);

// stem-001.png, the first number that is not taken.
std::filesystem::path freeName(const std::filesystem::path& folder, const std::string& stem,
                               const char* extension = ".png");

// What files about the model are called: sinew-NAME, of characters that every file system takes.
std::string stemOf(const Model& model);

} // namespace sinew
