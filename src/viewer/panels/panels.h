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
#include <vector>

struct ImVec2;

struct ImDrawList;

namespace sinew {

// The table of actions as menus and lists show it.
struct Menu {
  std::span<const Action> actions;
  std::function<bool(const Action&)> checked;
  std::span<const Action> found; // what the list under "?" searches
};

struct PanelResult {
  Rect picture;                   // the space left for the picture, in ImGui units
  const Action* chosen = nullptr; // the action to run
};

struct Recorder;

PanelResult drawPanels(Session& session, Ui& ui, const Graphics& graphics,
                       const Statistics& statistics, Recorder& recorder, const Menu& menu);

struct MenuBar {
  float height = 0.0f;
  const Action* chosen = nullptr;
};
// recording: describeRecording().
MenuBar menuBar(Session& session, Ui& ui, const std::string& recording, const Menu& menu);

// Draws the strip of methods; returns its height.
float methodStrip(Document& document, Ui& ui, const MethodPictures& pictures, const Rect& r);

float jointPanel(Document& document, Ui& ui, const Rect& r); // returns the width it takes
float sidePanel(Session& session, Ui& ui, const MethodPictures& pictures, const Rect& r);

// Brings a tab to the front. A tab that edits also chooses its tool.
void showTab(Document& document, Ui& ui, SideTab tab);
// Shows the tab that was last in front in this mode.
void showMode(Document& document, Ui& ui, Mode mode);

void settingsTab(Document& document, Ui& ui, const MethodPictures& pictures);
// If the active view's method ignores what a tab is for: says so, names the methods that use it,
// and has a button that shows the first of them.
void offerMethods(Document& document, const char* ignores, bool (*uses)(const Method&));
void poseTab(Session& session, Ui& ui);
void zoneTab(Session& session, Ui& ui);
void bindTab(Session& session, Ui& ui);
void skeletonControls(Document& document, BindState& bind, Ui& ui); // the upper part of bindTab()
void paintTab(Session& session);
void splinesTab(Session& session, Ui& ui);
void bakeTab(Session& session, Ui& ui);
void rigTab(Session& session, Ui& ui);
void checkTab(Session& session, Ui& ui);
// Draws the worst fault as a line at the lower end of the picture; returns its height.
float checkLinePanel(Session& session, Ui& ui, const Rect& view);
void splineSliders(Document& document, std::uint32_t spline); // `spline`: index into Rig::splines
void morphTab(Document& document, Ui& ui);                    // only for a model with morph targets
void layersTab(Session& session, Ui& ui);
void driversTab(Session& session, Ui& ui);
// The brushes that sculpt corrective shapes, in driversTab().
void sculptControls(Session& session);
void ragdollTab(Session& session, const Ui& ui);
void undoButtons(Document& document);

// A slider with its name and value above it; the format is printf's.
bool namedSlider(const char* name, float* value, float low, float high, const char* format);

void reportTab(Session& session, Ui& ui);
void materialList(const Model& model, Ui& ui);
// One texture by itself (Ui::texture).
void texturePanel(const Document& document, Ui& ui, const Graphics& graphics);
void motionMapControls(Session& session, Ui& ui); // only if a motion is on the model
// Draws the time line over the whole width; returns its scale, with 0 seconds if nothing is shown.
TimeScale timeline(Document& document, Ui& ui);
// Keys of the clip and the selected joint's curves. The controls are at the left, the curves below
// the time line and at its scale.
void keyControls(Document& document, Ui& ui);
void keyCurves(Document& document, Ui& ui, const TimeScale& scale, float height);
float transportHeight(const Ui& ui, float window); // window: the height of the window
void transportBar(Session& session, Ui& ui, const Rect& r);
// Draws statistics at the lower end of a rectangle; returns their height.
float statisticsPanel(const Document& document, const Graphics& graphics,
                      const Statistics& statistics, const Rect& r);
void importPanel(Session& session, const Rect& view);
void failurePanel(Session& session, Ui& ui, const Rect& view);
// Draws the first screen's hint, or the tour's step with its buttons, at the lower end. Returns the
// height.
float guidePanel(Session& session, Ui& ui, const Rect& view);
// The cost of a frame of the shown crowd by each method.
void crowdPanel(Session& session, const Rect& view);
// Messages of the document, for a while.
void toastPanel(Session& session, Ui& ui, const Rect& view);
// Returns the action that was chosen, or null.
const Action* hotkeyPanel(Ui& ui, std::span<const Action> actions);
// Opens the dialog: folders, the files of known formats, a typed path, recent files. A motion, a
// pose or zones are put on the current model.
void openBrowser(Ui& ui, Browse purpose);
void browserPanel(Session& session, Ui& ui);
void savePanel(Session& session, Ui& ui);
void aboutPanels(const Session& session, Ui& ui, const GlInfo& graphics);
void figuresPanel(Session& session, Ui& ui, const Graphics& graphics);
void recoveryPanel(Session& session, Ui& ui);
// The menu of a model beside the document.
void openSideModelMenu(Ui& ui, std::uint64_t id);
void sideModelMenu(Session& session, Ui& ui);
void discardPanel(Session& session); // the question about unsaved work
void recordPanel(Session& session, Ui& ui, Recorder& recorder);

// The captions over the views: whole, and shortened to fit into the width `room`.
struct Captions {
  std::vector<std::string> whole;
  std::vector<std::string> shown;
};
Captions captionsFor(const Session& session, float room);

// The captions in a saved picture; empty: those that drawCaptions() makes by itself.
std::vector<std::string> pictureCaptions(const Session& session);

// Draws the method of each view over the picture, and a frame about the active view. A click on the
// caption of a side-by-side model opens its menu.
void viewCaptions(const Session& session, Ui& ui, const Graphics& graphics,
                  const Statistics& statistics, const Rect& picture);

// The axes in the upper right corner, where there is room.
void axisGizmo(Document& document, const Ui& ui, const Rect& picture);

// Names of joints over the views (Ui::jointNames, Ui::hoveredJoint).
void jointLabels(const Document& document, const Ui& ui, const Rect& picture);

// A cell of the picture, in ImGui units.
Rect rectOfCell(const Ui& ui, const Viewport& cell, const Rect& picture);

// The method of the active view in the settings, and its parameters, or those for engineers.
void methodControls(Document& document, Ui& ui, const MethodPictures& pictures);
// Shows a picture in that width.
void showPicture(const ShownPicture& picture, float width);
// Shows an elbow bent and twisted by the method, in that width, once it has been drawn.
void methodPicture(const Method& method, Ui& ui, const MethodPictures& pictures, float width);
void parameterControls(Document& document, bool advanced);

// The colour scale of the heat map, over the whole width of the panel.
void colorScale(const Settings& settings);

// The colours alone, from that of 0 at the left to that of 1 at the right.
void drawFieldColors(ImDrawList& draw, const Settings& settings, const Rect& bar);

// Flags of a panel that is part of the fixed layout.
int panelFlags();

// Begins the window of a column of panels in `area`, at a width between `smallest` and a share of
// the area. A narrow window narrows it only meanwhile.
void beginColumn(const char* name, PanelColumn& column, float usual, float smallest,
                 const Rect& area);

// A heading in the bold font; text broken between words; such text in the secondary colour.
void heading(const char* text);
void textInLines(const std::string& text);
void faintText(const std::string& text);

} // namespace sinew
