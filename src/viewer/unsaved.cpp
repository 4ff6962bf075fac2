#include "viewer/unsaved.h"

#include "viewer/bind.h"
#include "viewer/paint_tool.h"
#include "viewer/session.h"

#include <utility>

namespace sinew {

std::vector<UnsavedWork> unsavedWork(const Viewer& viewer) {
  std::vector<UnsavedWork> all;
  if (!hasModel(viewer) || viewer.crowd) return all;
  const Edit& now = viewer.edit.history.now();
  const Edit& saved = viewer.edit.saved;
  const Edit untouched;
  const auto open = [&](auto Edit::*part) {
    return now.*part != saved.*part && now.*part != untouched.*part;
  };
  // As it was read, a skeleton is in its file.
  if (now.draft && !now.draft->source) all.push_back({"the skeleton, which is not bound yet"});
  if (!now.draft && now.model && (open(&Edit::model) || open(&Edit::weights)))
    all.push_back({"the bound skin, as .glb", saveModel});
  else if (!now.draft && open(&Edit::weights))
    all.push_back({"the painted weights", saveWeights});
  if (open(&Edit::zones)) all.push_back({"the zones", saveZones});
  if (open(&Edit::movement)) all.push_back({"the layers", saveMovement});
  if (viewer.ragdoll.changed) all.push_back({"the ragdoll's set-up", saveRagdoll});
  return all;
}

void leaveWork(Viewer& viewer, std::string doing, std::function<void(Viewer&)> then) {
  if (viewer.options.frames > 0 || unsavedWork(viewer).empty()) return then(viewer);
  viewer.ui.leave = {true, std::move(doing), std::move(then)};
}

void saveAndLeave(Viewer& viewer) {
  for (const UnsavedWork& work : unsavedWork(viewer))
    if (work.save) work.save(viewer);
  if (!unsavedWork(viewer).empty()) return stay(viewer);
  leaveUnsaved(viewer);
}

void leaveUnsaved(Viewer& viewer) {
  const LeaveQuestion question = std::exchange(viewer.ui.leave, {});
  if (question.then) question.then(viewer);
}

void stay(Viewer& viewer) {
  viewer.ui.leave = {};
}

void askToQuit(Viewer& viewer) {
  static constexpr const char* kDoing = "Quit";
  const auto quit = [](Viewer& v) { v.quit = true; };
  if (viewer.ui.leave.asked && viewer.ui.leave.doing == kDoing) return quit(viewer);
  leaveWork(viewer, kDoing, quit);
}

} // namespace sinew
