// What keys and menus do about binding, a part of the table of actions; and the model as a file.

#include "core/error.h"
#include "core/file.h"
#include "export/glb.h"
#include "viewer/bind.h"
#include "viewer/file_browser.h"
#include "viewer/paint_tool.h"
#include "viewer/session.h"
#include "viewer/viewport.h"

#include <fmt/format.h>

#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

void saveModel(Viewer& viewer) {
  if (!hasModel(viewer)) return;
  if (drafting(viewer)) return toast(viewer, "bind the mesh first: it has no weights to save yet");
  try {
    std::error_code error;
    const Model model = paintedModel(viewer);
    const fs::path path = freeName(fs::current_path(error), stemOf(model), ".glb");
    writeFile(path, glbOf(model));
    viewer.edit.saved.model = viewer.edit.history.now().model;
    viewer.edit.saved.weights = viewer.edit.history.now().weights;
    const std::vector<std::string> out = leftOutOfGlb(model);
    toast(viewer, fmt::format("saved {}{}{}", path.string(),
                              out.empty() ? "" : "; left out: ", fmt::join(out, ", ")));
  } catch (const Error& problem) {
    toast(viewer, problem.what());
  }
}

void addBindActions(std::vector<Action>& all) {
  all.push_back({"Weights",
                 "Bind",
                 {"Ctrl+B"},
                 "automatic weights for the skeleton being edited, or the model's own",
                 [](Viewer& v) {
                   showTab(v, SideTab::bind);
                   startBinding(v);
                 }});
  all.push_back({"Weights",
                 "Compare both algorithms",
                 {"Ctrl+Shift+B"},
                 "bone heat and bone glow, side by side",
                 [](Viewer& v) {
                   showTab(v, SideTab::bind);
                   startComparing(v);
                 }});
  all.push_back({"Weights",
                 "Choose a skeleton...",
                 {"Ctrl+K"},
                 "a .tgf, a .bvh or a model, to bind this mesh to; or drop a .tgf",
                 [](Viewer& v) {
                   showTab(v, SideTab::bind);
                   if (bindable(v)) openBrowser(v, Browse::skeleton);
                 }});
  all.push_back({"Weights",
                 "Edit the model's skeleton",
                 {},
                 "its own joints, to be moved, added or removed before binding again",
                 draftOwnJoints});
  all.push_back(
      {"Weights", "Make a skeleton by hand", {}, "beginning with one joint", draftByHand});
  all.push_back({"Weights", "Add a joint", {"Insert"}, "below the selected one", [](Viewer& v) {
                   if (drafting(v)) addDraftJoint(v);
                 }});
}

} // namespace sinew
