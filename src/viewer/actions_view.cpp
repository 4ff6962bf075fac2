// Actions on the views: the camera, what is drawn, and the skinning methods.
#include "editor/document/framing.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/side_imports.h"
#include "skinning/methods.h"
#include "viewer/actions.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/state/view_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

Action orbitStep(const char* name, const char* key, float dx, float dy) {
  return repeated({"View/Camera", name, {key}, "", [=](Viewer& v) {
                     orbitBy(v.session.document.settings, dx, dy);
                   }});
}

Action zoomStep(const char* name, std::vector<std::string> keys, float steps) {
  return repeated({"View/Camera", name, std::move(keys), "",
                   [=](Viewer& v) { zoomBy(v.session.document.settings, steps); }});
}

Action standardView(const char* name, const char* key, float yaw, float pitch) {
  return {"View/Camera", name, {key}, "", [=](Viewer& v) {
            v.session.document.settings.yaw = yaw;
            v.session.document.settings.pitch = pitch;
          }};
}

Action panelSize(const char* name, float factor) {
  return {"View", name, {}, "text and controls", [factor](Viewer& v) {
            float& scale = v.preferences.panelScale;
            scale = std::clamp(scale * factor, kMinPanelScale, kMaxPanelScale);
          }};
}

// The other model in the active view changes places with the document.
void makeShownDocument(Session& session) {
  const SideModel* shown = sideModelIn(session.document, activeView(session.document));
  if (shown == nullptr) return notify(session.document, "the active view shows the main model");
  makeDocument(session, shown->id);
}

void toggleWeights(Document& document) {
  document.heatMap = !document.heatMap;
  if (!document.heatMap) return;
  document.settings.difference.reset();
  if (!document.selected) notify(document, "select a joint: in the list, or click a bone");
}

void toggleGhosts(Document& document) {
  int& ghosts = document.settings.ghosts;
  ghosts = ghosts > 0 ? 0 : 3;
}

void toggleOneScale(Document& document) {
  document.oneScale = !document.oneScale;
  arrangeSideModels(document);
}

void togglePanels(Viewer& viewer) {
  viewer.ui.panels = !viewer.ui.panels;
  if (!viewer.ui.panels) notify(viewer.session.document, "Tab shows the panels again");
}

void addModeActions(std::vector<Action>& all) {
  int number = 0;
  for (const ModeInfo& mode : kWindowModes)
    all.push_back({"View",
                   mode.name,
                   {fmt::format("Ctrl+{}", ++number)},
                   mode.help,
                   [&mode](Viewer& v) {
                     v.ui.panels = true;
                     showMode(v.session.document, v.ui, mode.mode);
                   },
                   [&mode](const Viewer& v) { return toMode(v.ui.tab) == mode.mode; }});
}

void addCameraActions(std::vector<Action>& all) {
  all.push_back(
      {"View/Camera", "Frame the model", {"F"}, "show the whole model", onDocument(frameModel)});
  all.push_back({"View/Camera",
                 "Frame the joint",
                 {"."},
                 "the selected joint; also a double click on its name",
                 onDocument(frameJoint)});
  all.push_back(toggle("View/Camera", "Follow the model", "C",
                       "the camera follows the model when it moves away", &Document::follow));
  all.push_back(toggle("View/Camera", "Turntable", "T", "orbit the model continuously",
                       &Settings::turntable));
  all.push_back({"View/Camera",
                 "Orthographic",
                 {"Shift+O"},
                 "by parallel rays; also a click below the axes in the corner",
                 [](Viewer& v) { switchProjection(v.session.document, v.ui); },
                 [](const Viewer& v) {
                   return v.session.document.settings.projection == Projection::orthographic;
                 }});
  all.push_back(standardView("From the front", "Shift+F", 0.0f, 0.0f));
  all.push_back(standardView("From the side", "Shift+S", 90.0f, 0.0f));
  all.push_back(standardView("From the back", "Shift+B", 180.0f, 0.0f));
  all.push_back(standardView("From above", "Shift+T", 0.0f, 89.0f));
  all.push_back(orbitStep("Orbit left", "Shift+Left", -0.03f, 0.0f));
  all.push_back(orbitStep("Orbit right", "Shift+Right", 0.03f, 0.0f));
  all.push_back(orbitStep("Orbit up", "Shift+Up", 0.0f, 0.03f));
  all.push_back(orbitStep("Orbit down", "Shift+Down", 0.0f, -0.03f));
  all.push_back(zoomStep("Nearer", {"+", "="}, 1.0f));
  all.push_back(zoomStep("Farther", {"-"}, -1.0f));
}

void addLayoutActions(std::vector<Action>& all) {
  all.push_back(
      {"View", "Add a view", {"V"}, "another method beside the others", onDocument(addView)});
  all.push_back({"View",
                 "Remove the view",
                 {"Shift+V"},
                 "the active one, in the frame",
                 onDocument(removeView)});
  all.push_back({"View",
                 "Make it the main model",
                 {"Ctrl+Enter"},
                 "the other model in the active view changes places with the main model",
                 [](Viewer& v) { makeShownDocument(v.session); }});
  all.push_back({"View",
                 "Next view",
                 {"Ctrl+PageDown"},
                 "make it the active one",
                 onDocument([](Document& d) { nextView(d, 1); })});
  all.push_back({"View",
                 "Previous view",
                 {"Ctrl+PageUp"},
                 "make it the active one",
                 onDocument([](Document& d) { nextView(d, -1); })});
  all.push_back({"View",
                 "The view alone",
                 {"Enter"},
                 "the active view fills the picture; also a double click",
                 onDocument(toggleAlone),
                 [](const Viewer& v) { return v.session.document.views.alone; }});
  all.push_back({"View",
                 "Divider",
                 {"Ctrl+Alt+D"},
                 "two views as one picture, with a divider to drag",
                 [](Viewer& v) {
                   std::optional<float>& divider = v.session.document.views.divider;
                   divider = divider ? std::optional<float>() : 0.5f;
                 },
                 [](const Viewer& v) { return v.session.document.views.divider.has_value(); }});
  all.push_back({"Model",
                 "Check",
                 {"Ctrl+Alt+K"},
                 "where the character breaks, and what repairs it",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::check);
                   if (!currentCheck(v.session)) startChecking(v.session);
                 }});
  all.push_back({"View",
                 "Crowd of 200",
                 {"Ctrl+Alt+C"},
                 "200 of this character by the active view's method; again: back",
                 [](Viewer& v) {
                   toggleCrowd(v.session, kCrowdCharacters *
                                              v.session.document.workbench.rig.positions.size());
                 },
                 [](const Viewer& v) { return v.session.document.crowd.has_value(); }});
  all.push_back({"View",
                 "Stress scene",
                 {},
                 "a crowd of a million vertices by the active view's method; again: back",
                 [](Viewer& v) { toggleCrowd(v.session, 1000000); },
                 [](const Viewer& v) { return v.session.document.crowd.has_value(); }});
  all.push_back(
      {"View", "Panels", {"Tab"}, "show or hide all panels", togglePanels, [](const Viewer& v) {
         return v.ui.panels;
       }});
}

void addShowActions(std::vector<Action>& all) {
  all.push_back(
      toggle("View/Show", "Wireframe", "W", "the triangles' edges", &Settings::wireframe));
  all.push_back(toggle("View/Show", "Normals", "N", "the vertex normals", &Settings::normals));
  all.push_back(
      toggle("View/Show", "Skeleton", "S", "the bones over the mesh", &Settings::skeleton));
  all.push_back(toggle("View/Show", "Joint names", "Shift+N",
                       "in the views, as many as there is room for", &Ui::jointNames));
  all.push_back(toggle("View/Show", "Joint axes", "Shift+A",
                       "red, green and blue: x, y and z of every joint", &Ui::jointAxes));
  all.push_back(
      toggle("View/Show", "Bind axes", "",
             "axes of every joint where it was when the mesh was bound: the inverse bind matrices",
             &Ui::bindAxes));
  all.push_back(toggle("View/Show", "Trails", "Ctrl+Shift+T",
                       "where the selected joint goes over the clip, with its keys",
                       &Document::trails));
  all.push_back({"View/Show",
                 "Ghosts",
                 {"Shift+G"},
                 "three poses before the shown moment and three after it; more in Look",
                 onDocument(toggleGhosts),
                 [](const Viewer& v) { return v.session.document.settings.ghosts > 0; }});
  all.push_back(toggle("View/Show", "Colours by bone", "Shift+H",
                       "each joint's own, mixed by the weights", &Settings::boneColors));
  all.push_back({"View/Show",
                 "Models at one scale",
                 {},
                 "models side by side, unless one is more than twice as large as the main one; "
                 "off: each fills its view",
                 onDocument(toggleOneScale),
                 [](const Viewer& v) { return v.session.document.oneScale; }});
  all.push_back(
      {"View/Show", "All joints", {}, "also those that were hidden", onDocument([](Document& d) {
         d.hidden.clear();
       })});
  all.push_back(
      {"View", "The menus", {"Alt"}, "arrows and Enter choose, Escape closes", [](Viewer& v) {
         v.ui.panels = true;
         v.ui.openMenu = true;
         v.ui.menu = 0;
       }});
  all.push_back(panelSize("Larger panels", 1.25f));
  all.push_back(panelSize("Smaller panels", 0.8f));
  all.push_back(toggle("View", "Light panels", "Shift+I", "dark text on light panels",
                       &Preferences::lightTheme));
  all.push_back(toggle("View/Show", "Textures", "X", "the model's images", &Settings::textures));
  all.push_back(toggle("View/Show", "Ground grid", "G", "", &Settings::grid));
  all.push_back(toggle("View/Show", "Contact shadow", "",
                       "the ground is darker under what touches it", &Settings::contactShadow));
  all.push_back(toggle("View/Show", "Headlight", "", "the light moves with the camera",
                       &Settings::headlight));
  all.push_back({"View/Show",
                 "Light from a picture...",
                 {},
                 "a picture of everything around (.hdr, .png, .jpg), also dropped onto the window",
                 [](Viewer& v) { openBrowser(v.ui, Browse::light); }});
  all.push_back(toggle("View/Show", "Statistics", "I", "times and counts", &Settings::statistics));
  all.push_back({"View/Show",
                 "Weights",
                 {"H"},
                 "colour by the weight of the selected joint",
                 onDocument(toggleWeights),
                 [](const Viewer& v) { return v.session.document.heatMap; }});
  all.push_back(
      {"View/Show",
       "Difference",
       {"D"},
       "colour by the distance from linear blending",
       onDocument(toggleDifference),
       [](const Viewer& v) { return v.session.document.settings.difference.has_value(); }});
  all.push_back({"View",
                 "Dismiss",
                 {"Escape"},
                 "a drag, the recording, the failure, the import, the selected joint, or messages",
                 [](Viewer& v) {
                   if (!dismiss(v.session)) v.ui.toasts.clear();
                 }});
}

} // namespace

void addViewActions(std::vector<Action>& all) {
  addModeActions(all);
  addCameraActions(all);
  addLayoutActions(all);
  addShowActions(all);
}

void addMethodActions(std::vector<Action>& all) {
  std::size_t number = 0;
  for (const Method& method : methods()) {
    ++number;
    Action action{"View/Method", std::string(method.title), {}, std::string(method.paper), {}};
    if (const std::string key = methodKey(number); !key.empty()) action.keys.push_back(key);
    action.run = [&method](Viewer& v) {
      setActiveChoice(v.session.document, {&method, activeChoice(v.session.document).parameters});
    };
    action.checked = [&method](const Viewer& v) {
      return activeChoice(v.session.document).method == &method;
    };
    all.push_back(std::move(action));
  }
}

} // namespace sinew
