#include "editor/unsaved.h"

#include "editor/edit_files.h"
#include "editor/ragdoll/ragdoll_files.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <utility>

namespace sinew {

std::vector<UnsavedWork> unsavedWork(const Session& session) {
  const Document& document = session.document;
  std::vector<UnsavedWork> all;
  if (!hasModel(document) || document.crowd) return all;
  // A skeleton that was read and not edited is in its file.
  if (const auto& draft = getDraft(document); draft && !draft->source)
    all.push_back({"the skeleton, which is not bound yet"});
  for (const WorkKind& kind : workKinds())
    if (const char* what = kind.unsaved == nullptr ? nullptr : kind.unsaved(session))
      all.push_back({what, &kind});
  if (session.play.recording && !session.play.recorded.empty())
    all.push_back({.what = "the fall that is being recorded", .endsAsClip = true});
  return all;
}

void confirmDiscard(Session& session, std::string doing, std::function<void(Session&)> then) {
  if (session.options.unattended || unsavedWork(session).empty()) return then(session);
  session.discard = {true, std::move(doing), std::move(then)};
}

void saveWork(Session& session) {
  recordRagdoll(session.document, session.play, false); // to a clip, which can be saved
  const std::vector<UnsavedWork> all = unsavedWork(session);
  if (all.empty()) notify(session.document, "nothing to save");
  for (const UnsavedWork& work : all) {
    // A model that was saved may have taken it along.
    if (work.kind != nullptr && work.kind->unsaved(session) == nullptr) continue;
    if (work.kind != nullptr)
      saveEdits(session, work.kind->kind);
    else
      notify(session.document, fmt::format("{} cannot be saved yet", work.what));
  }
}

void saveAndContinue(Session& session) {
  saveWork(session);
  if (!unsavedWork(session).empty()) return cancelDiscard(session);
  discardWork(session);
}

void discardWork(Session& session) {
  const DiscardQuestion question = std::exchange(session.discard, {});
  if (question.then) question.then(session);
}

void cancelDiscard(Session& session) {
  session.discard = {};
}

void askToQuit(Session& session) {
  static constexpr const char* kDoing = "Quit";
  const auto quit = [](Session& s) { s.quit = true; };
  if (session.discard.asked && session.discard.doing == kDoing) return quit(session);
  confirmDiscard(session, kDoing, quit);
}

} // namespace sinew
