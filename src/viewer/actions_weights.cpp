// Actions on weights: painting, binding, free splines.
#include "editor/bind/binding.h"
#include "editor/edit_files.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/tools/tools.h"

#include <optional>

namespace sinew {

void addWeightActions(std::vector<Action>& all) {
  all.push_back({"Model/Weights",
                 "Bind",
                 {"Ctrl+B"},
                 "automatic weights for the skeleton being edited, or the model's own",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::bind);
                   startBinding(v.session.document, v.session.bind);
                 }});
  all.push_back({"Model/Weights",
                 "Compare both algorithms",
                 {"Ctrl+Shift+B"},
                 "bone heat and bone glow, side by side",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::bind);
                   startComparing(v.session.document, v.session.bind);
                 }});
  all.push_back({"Model/Weights",
                 "Choose a skeleton...",
                 {"Ctrl+K"},
                 "a .tgf, a .bvh or a model, to bind this mesh to; or drop a .tgf",
                 [](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::bind);
                   if (bindable(v.session.document)) openBrowser(v.ui, Browse::skeleton);
                 }});
  all.push_back({"Model/Weights",
                 "Edit the model's skeleton",
                 {},
                 "move, add or remove the model's own joints before binding again",
                 [](Viewer& v) { draftOwnJoints(v.session.document, v.session.bind); }});
  all.push_back(
      {"Model/Weights", "Make a skeleton by hand", {}, "starting from one joint", [](Viewer& v) {
         draftByHand(v.session.document, v.session.bind);
       }});
  all.push_back(
      {"Model/Weights", "Add a joint", {"Insert"}, "below the selected one", [](Viewer& v) {
         if (drafting(v.session.document)) addDraftJoint(v.session.document, v.session.bind);
       }});
  all.push_back(
      toolAction("Model/Weights", "Paint weights", "Q",
                 "a brush on the skin of the selected joint; Shift smooths, Ctrl subtracts, "
                 "Alt moves the camera",
                 Tool::paint));
  all.push_back({"Model/Weights",
                 "Paint the splines",
                 {"Shift+Q"},
                 "the weights of the model's free splines, not of its bones",
                 [](Viewer& v) {
                   bool& splines = v.session.paint.choices.splines;
                   splines = !splines && !v.session.document.workbench.model.splines.empty();
                   chooseTool(v, Tool::paint);
                   if (!splines) notify(v.session.document, "the brush is for the bones");
                 },
                 [](const Viewer& v) { return v.session.paint.choices.splines; }});
  all.push_back(repeated({"Model/Weights", "Larger brush", {}, "] while painting", [](Viewer& v) {
                            paintKey(v.session.document, v.session.paint, "]");
                          }}));
  all.push_back(repeated({"Model/Weights", "Smaller brush", {}, "[ while painting", [](Viewer& v) {
                            paintKey(v.session.document, v.session.paint, "[");
                          }}));
  all.push_back({"Model/Weights",
                 "Save the weights",
                 {"Ctrl+Shift+W"},
                 "to a file beside the model, which every command reads",
                 posable(saving(SaveKind::weights))});
  const auto rigAction = [&all](const char* name, const char* help,
                                std::optional<Browse> browse = std::nullopt) {
    all.push_back({"Model/Weights", name, {}, help, [browse](Viewer& v) {
                     showTab(v.session.document, v.ui, SideTab::rig);
                     if (browse) openBrowser(v.ui, *browse);
                   }});
  };
  rigAction("Take weights of a model...",
            "its skeleton, weights and clips for this mesh, which stands in the same place",
            Browse::weights);
  rigAction("Dress in a file...", "its meshes get this model's weights and join it",
            Browse::clothes);
  rigAction("Mirror the rig", "one side's weights, shapes and joints for the other");
  rigAction("Change the bind pose",
            "T-pose, A-pose or the pose that is shown; mesh, shapes and clips follow");
  rigAction("Fewer joints", "or fewer weights per vertex, for the same motion");
  all.push_back({"Model/Weights",
                 "Free splines",
                 {"Shift+C"},
                 "lay splines on the model: their control points bend the skin",
                 posable([](Viewer& v) { showTab(v.session.document, v.ui, SideTab::splines); })});
  all.push_back({"Model/Weights",
                 "New spline",
                 {"Ctrl+Shift+C"},
                 "along the selected joint's bones, on the end of the selected spline, or through "
                 "the mesh",
                 posable([](Viewer& v) {
                   showTab(v.session.document, v.ui, SideTab::splines);
                   newSpline(v.session.document, v.session.bind, v.session.splines);
                 })});
  all.push_back({"Model/Weights",
                 "Save the splines",
                 {"Ctrl+Shift+F"},
                 "to a file beside the model, which every command reads",
                 posable(saving(SaveKind::splines))});
}

} // namespace sinew
