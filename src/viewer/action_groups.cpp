#include "viewer/action_groups.h"

#include "editor/edit_files.h"
#include "viewer/panels/panels.h"

#include <utility>

namespace sinew {
namespace {

constexpr const char* kSkeletonEdited = "the skeleton is being edited: bind it, or leave it, first";

} // namespace

ActionRun onDocument(void (*run)(Document&)) {
  return [run](Viewer& v) { run(v.session.document); };
}

ActionRun saving(SaveKind kind) {
  return [kind](Viewer& v) { saveEdits(v.session, kind); };
}

ActionRun posable(ActionRun run) {
  return [run = std::move(run)](Viewer& v) {
    Document& document = v.session.document;
    if (drafting(document)) return notify(document, kSkeletonEdited);
    if (hasModel(document) && !document.crowd) run(v);
  };
}

Action repeated(Action action) {
  action.repeats = true;
  return action;
}

void chooseTool(Viewer& viewer, Tool tool) {
  Document& document = viewer.session.document;
  if (drafting(document)) return notify(document, kSkeletonEdited);
  document.tool = tool;
  showTab(document, viewer.ui,
          tool == Tool::zone    ? SideTab::zone
          : tool == Tool::paint ? SideTab::paint
                                : SideTab::pose);
  if (!document.selected) notify(document, "select a joint: in the list, or click a bone");
}

Action toolAction(std::string group, const char* name, const char* key, const char* help,
                  Tool tool) {
  return {std::move(group),
          name,
          {key},
          help,
          [tool](Viewer& v) { chooseTool(v, tool); },
          [tool](const Viewer& v) { return v.session.document.tool == tool; }};
}

} // namespace sinew
