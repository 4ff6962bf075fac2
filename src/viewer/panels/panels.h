// The panels: free functions that draw one part of the interface each and change the
// document. None calls OpenGL.
#pragma once

#include "editor/session.h"
#include "viewer/state/action.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"

#include <functional>
#include <span>
#include <string>

struct ImVec2;

namespace sinew {

// The table of actions as menus and lists show it.
struct Menu {
  std::span<const Action> actions;
  std::function<bool(const Action&)> checked;
};

struct PanelResult {
  Rect picture;                   // what is left for it, in ImGui units
  const Action* chosen = nullptr; // to be run
};

struct Recorder;

PanelResult drawPanels(Session& session, Ui& ui, const Graphics& graphics,
                       const Statistics& statistics, Recorder& recorder, const Menu& menu);

struct MenuBar {
  float height = 0.0f;
  const Action* chosen = nullptr;
};
MenuBar menuBar(Session& session, const Menu& menu);

float jointPanel(Document& document, Ui& ui, const Rect& r); // returns the width it takes
float sidePanel(Session& session, Ui& ui, const Rect& r);

// A tab to the front; one that edits brings its tool.
void showTab(Document& document, Ui& ui, SideTab tab);

void settingsTab(Document& document);
void poseTab(Document& document, PoseEditing& posing, Ui& ui);
void zoneTab(Document& document, PoseEditing& posing, Ui& ui);
void bindTab(Document& document, BindState& bind, Ui& ui);
void skeletonControls(Document& document, BindState& bind, Ui& ui); // its upper part
void paintTab(Document& document, const BindState& bind, PaintState& paint);
void splinesTab(Session& session, Ui& ui);
void splineSliders(Document& document, std::uint32_t spline); // roll and twist; of Rig::splines
void morphTab(Document& document, Ui& ui);                    // of a model with morph targets
void layersTab(Document& document, Ui& ui);
void ragdollTab(Document& document, RagdollPlay& play, const Ui& ui);
void undoButtons(Document& document);

// A slider with its name and value to the left of it; the format is printf's.
bool namedSlider(const char* name, float* value, float low, float high, const char* format);

void reportTab(Document& document, Ui& ui);
void timeline(Document& document, Ui& ui); // as wide as there is room
void transportBar(Document& document, Ui& ui, const Rect& r);
// At the lower end of a rectangle; returns its height.
float statisticsPanel(const Document& document, const Graphics& graphics,
                      const Statistics& statistics, const Rect& r);
void importPanel(Session& session, const Rect& view);
void failurePanel(Session& session, Ui& ui, const Rect& view);
// Messages of the document, for a while.
void toastPanel(Document& document, Ui& ui, const Rect& view);
// Returns the action that was chosen, or null.
const Action* hotkeyPanel(Ui& ui, std::span<const Action> actions);
void leavePanel(Session& session); // the question about unsaved work
void recordPanel(Session& session, Ui& ui, Recorder& recorder);

// Over the picture: the method of each view, and a frame about the active one.
void viewCaptions(const Document& document, const BindState& bind, const Ui& ui,
                  const Graphics& graphics, const Statistics& statistics, const Rect& picture);

// Methods of the views and the parameters of the active one, in the settings.
void methodControls(Document& document);
void parameterControls(Document& document);

// The colour scale of the heat map, over the whole width of the panel.
void colorScale(const Settings& settings);

// Flags of a panel that is part of the fixed layout.
int panelFlags();

// A heading in the bold font; text in the secondary colour, wrapped.
void heading(const char* text);
void faintText(const std::string& text);

} // namespace sinew
