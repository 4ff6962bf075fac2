// Actions on files, and help.
#include "editor/edit_files.h"
#include "editor/model_files.h"
#include "editor/save_as.h"
#include "editor/side_imports.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"

namespace sinew {

void addFileActions(std::vector<Action>& all) {
  all.push_back({"File", "Open...", {"Ctrl+O", "O"}, "choose a model file", [](Viewer& v) {
                   openBrowser(v.ui, Browse::model);
                 }});
  all.push_back({"File",
                 "Open beside...",
                 {"Ctrl+Shift+O"},
                 "another model in a view of its own, to be compared at the same time",
                 [](Viewer& v) { openBrowser(v.ui, Browse::beside); }});
  all.push_back({"File",
                 "Files side by side",
                 {"Shift+PageDown"},
                 "the other models that were opened together, up to six in all",
                 [](Viewer& v) { openRemainingFiles(v.session); }});
  all.push_back({"File",
                 "Next file",
                 {"PageDown"},
                 "of those opened together, else of the folder",
                 [](Viewer& v) { stepFile(v.session, 1); }});
  all.push_back({"File", "Previous file", {"PageUp"}, "of the same files", [](Viewer& v) {
                   stepFile(v.session, -1);
                 }});
  all.push_back(
      {"File", "Reload", {"F5"}, "read the file again; it also happens by itself", [](Viewer& v) {
         reloadModel(v.session);
       }});
  all.push_back({"File",
                 "Save",
                 {"Ctrl+S"},
                 "all unsaved work, each kind in a file beside the model",
                 [](Viewer& v) { saveWork(v.session); }});
  all.push_back(
      {"File",
       "Save As...",
       {"Ctrl+Shift+S"},
       "the model, a pose, bend ranges, weights, splines, layers or drivers, to a file of yours",
       [](Viewer& v) { v.ui.saving = SaveKind::model; }});
  all.push_back({"File",
                 "Show the folder",
                 {"Ctrl+Alt+O"},
                 "of the file saved last, else of the model, in the file manager",
                 [](Viewer& v) { showFolder(v.session); }});
  all.push_back({"File",
                 "Export the model...",
                 {"Ctrl+E"},
                 "mesh, skeleton, weights, clips and textures, as .glb",
                 [](Viewer& v) { v.ui.saving = SaveKind::model; }});
  all.push_back({"File",
                 "Export a picture or film...",
                 {"Ctrl+R"},
                 "PNG, GIF or MP4 of the views, with a size and background of your choice",
                 [](Viewer& v) { v.ui.recording = true; }});
  all.push_back({"File",
                 "Export a report...",
                 {"Ctrl+Shift+R"},
                 "every method measured over the clip, as a page with pictures and plots",
                 [](Viewer& v) { v.ui.saving = SaveKind::report; }});
  all.push_back({"File",
                 "Export a page...",
                 {},
                 "the views' methods, moving, in any browser: one file",
                 [](Viewer& v) { v.ui.saving = SaveKind::page; }});
  all.push_back({"File",
                 "Bake for an engine",
                 {},
                 "the active view's method as linear blending with helper joints",
                 [](Viewer& v) { showTab(v.session.document, v.ui, SideTab::bake); }});
  all.push_back({"File",
                 "Screenshot",
                 {"F12", "P"},
                 "save the view as a PNG without the panels",
                 [](Viewer& v) { v.ui.screenshot = true; }});
  all.push_back(
      {"File", "Screenshot of the window", {"Shift+P"}, "save all of it as a PNG", [](Viewer& v) {
         v.ui.screenshotWindow = true;
       }});
  all.push_back(
      {"File", "Quit", {"Ctrl+Q"}, "close the window", [](Viewer& v) { askToQuit(v.session); }});
}

void addHelpActions(std::vector<Action>& all) {
  all.push_back({"Help",
                 "Guided tour",
                 {"F2"},
                 "six steps on the built-in character, two minutes",
                 [](Viewer& v) { showScene(v.session, tourScenes().front()); }});
  all.push_back({"Help",
                 "Papers' figures",
                 {"F3"},
                 "made here, with what the paper says and what was measured",
                 [](Viewer& v) { v.ui.figures = true; }});
  all.push_back({"Help", "Keys", {"?", "F1", "Ctrl+Shift+P"}, "this list", [](Viewer& v) {
                   v.ui.hotkeys = true;
                 }});
  all.push_back({"Help",
                 "Report a problem",
                 {"F4"},
                 "what whoever fixes it needs to know, to be copied",
                 [](Viewer& v) { v.ui.problem = true; }});
  all.push_back({"Help", "About", {"F6"}, "version, graphics and papers", [](Viewer& v) {
                   v.ui.about = true;
                 }});
}

} // namespace sinew
