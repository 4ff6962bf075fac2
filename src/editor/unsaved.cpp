#include "editor/unsaved.h"

#include "editor/edit_files.h"
#include "editor/motion_mapping.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <utility>

namespace sinew {
namespace {

// Zones are saved over those the model was read with, so whatever differs from the file is unsaved,
// also that there are none any more. What a bound model has none of was for other joints.
bool unsavedZones(const Document& document) {
  const Edit& now = document.history.now();
  if (zonesOf(now) == document.saved.zones) return false;
  return !now.model || now.draft || !now.zones.empty();
}

// Layers are saved to a file of their own: what the model was read with stays in its file.
bool unsavedLayers(const Document& document) {
  const Edit& now = document.history.now();
  const LayerStack& layers = layersOf(now);
  if (layers == document.saved.layerStack || layers == document.opened.layerStack) return false;
  return !now.model || now.draft || !now.layerStack.layers.empty();
}

} // namespace

UnsavedParts unsavedParts(const Session& session) {
  const Document& document = session.document;
  UnsavedParts parts;
  if (!hasModel(document) || document.crowd) return parts;
  const Edit& now = document.history.now();
  const Edit& saved = document.saved;
  // A skeleton that was read and not edited is in its file.
  parts.draft = now.draft && !now.draft->source;
  // Painted weights of splines belong to the file of laid ones, where there are some.
  const bool laid = now.splines || saved.splines;
  const bool painted = now.weights.splines != saved.weights.splines;
  const bool weights = now.weights.bones != saved.weights.bones || (painted && !laid);
  const bool splines = now.splines != saved.splines || (painted && laid);
  if (!now.draft) {
    parts.clips = now.clips != saved.clips;
    parts.model = now.model && (weights || splines || now.model != saved.model);
    parts.weights = weights && !now.model;
    parts.splines = splines && !now.model;
    parts.pose = now.pose && now.pose != saved.pose;
    parts.drivers = now.drivers != saved.drivers;
  }
  parts.zones = unsavedZones(document);
  parts.layers = unsavedLayers(document);
  parts.motionMap = document.loaded.motionMap != document.loaded.motionMapSaved;
  parts.ragdoll = session.play.changed;
  return parts;
}

std::vector<UnsavedWork> unsavedWork(const Session& session) {
  const UnsavedParts parts = unsavedParts(session);
  const auto asGlb = [](Session& s) { saveModel(s.document); };
  std::vector<UnsavedWork> all;
  if (parts.draft) all.push_back({"the skeleton, which is not bound yet"});
  if (parts.model) all.push_back({"the bound skin, as .glb", asGlb});
  if (parts.weights)
    all.push_back({"the painted weights", [](Session& s) { saveWeights(s.document); }});
  if (parts.splines)
    all.push_back({"the free splines", [](Session& s) { saveSplines(s.document, s.bind); }});
  if (parts.clips && !parts.model) all.push_back({"the keyed clips, as .glb", asGlb});
  if (parts.pose) all.push_back({"the edited pose", [](Session& s) { savePose(s.document); }});
  if (parts.zones) all.push_back({"the bend ranges", [](Session& s) { saveZones(s.document); }});
  if (parts.layers) all.push_back({"the layers", [](Session& s) { saveLayers(s.document); }});
  if (parts.drivers)
    all.push_back({"the pose drivers", [](Session& s) { saveDrivers(s.document); }});
  if (parts.motionMap)
    all.push_back({"the map of joints", [](Session& s) { saveMotionMap(s.document); }});
  if (parts.ragdoll)
    all.push_back({"the ragdoll's set-up", [](Session& s) { saveRagdoll(s.document, s.play); }});
  return all;
}

void leaveWork(Session& session, std::string doing, std::function<void(Session&)> then) {
  if (session.options.unattended || unsavedWork(session).empty()) return then(session);
  session.leave = {true, std::move(doing), std::move(then)};
}

void saveWork(Session& session) {
  const std::vector<UnsavedWork> all = unsavedWork(session);
  if (all.empty()) notify(session.document, "nothing to save");
  for (const UnsavedWork& work : all) {
    if (work.save)
      work.save(session);
    else
      notify(session.document, fmt::format("{} cannot be saved yet", work.what));
  }
}

void saveAndLeave(Session& session) {
  saveWork(session);
  if (!unsavedWork(session).empty()) return stay(session);
  leaveUnsaved(session);
}

void leaveUnsaved(Session& session) {
  const LeaveQuestion question = std::exchange(session.leave, {});
  if (question.then) question.then(session);
}

void stay(Session& session) {
  session.leave = {};
}

void askToQuit(Session& session) {
  static constexpr const char* kDoing = "Quit";
  const auto quit = [](Session& s) { s.quit = true; };
  if (session.leave.asked && session.leave.doing == kDoing) return quit(session);
  leaveWork(session, kDoing, quit);
}

} // namespace sinew
