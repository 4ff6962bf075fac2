// The panels: free functions that draw one part of the interface each and change the viewer's
// state. None calls OpenGL.
#pragma once

#include "viewer/state.h"

struct ImVec2;

namespace sinew {

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

// Everything; returns what is left for the picture, in ImGui units.
Rect drawPanels(Viewer& viewer);

float menuBar(Viewer& viewer);                   // returns its height
float jointPanel(Viewer& viewer, const Rect& r); // returns the width it takes
float sidePanel(Viewer& viewer, const Rect& r);
void settingsTab(Viewer& viewer);
void poseTab(Viewer& viewer);
void zoneTab(Viewer& viewer);
void bindTab(Viewer& viewer);
void skeletonControls(Viewer& viewer); // its upper part
void paintTab(Viewer& viewer);
void layersTab(Viewer& viewer);
void ragdollTab(Viewer& viewer);
void undoButtons(Viewer& viewer);

// A slider with its name and value to the left of it; the format is printf's.
bool namedSlider(const char* name, float* value, float low, float high, const char* format);

void reportTab(Viewer& viewer);
void timeline(Viewer& viewer); // as wide as there is room
void transportBar(Viewer& viewer, const Rect& r);
float statisticsPanel(Viewer& viewer, const Rect& r); // at its lower end; returns its height
void importPanel(Viewer& viewer, const Rect& view);
void failurePanel(Viewer& viewer, const Rect& view);
void toastPanel(Viewer& viewer, const Rect& view);
void hotkeyPanel(Viewer& viewer);
void leavePanel(Viewer& viewer); // the question about unsaved work

// Over the picture: the method of each view, and a frame about the active one.
void viewCaptions(const Viewer& viewer, const Rect& picture);

// Methods of the views and the parameters of the active one, in the settings.
void methodControls(Viewer& viewer);
void parameterControls(Viewer& viewer);

// The colour scale of the heat map, over the whole width of the panel.
void colorScale(const Settings& settings);

// Flags of a panel that is part of the fixed layout.
int panelFlags();

// A heading in the bold font; text in the secondary colour, wrapped.
void heading(const char* text);
void faintText(const std::string& text);

} // namespace sinew
