#include "editor/unsaved.h"

#include "editor/edit_files.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <utility>

namespace sinew {

std::vector<UnsavedWork> unsavedWork(const Session& session) {
  const Document& document = session.document;
  std::vector<UnsavedWork> all;
  if (!hasModel(document) || document.crowd) return all;
  // A skeleton that was read and not edited is in its file.
  if (const auto& draft = draftOf(document); draft && !draft->source)
    all.push_back({"the skeleton, which is not bound yet"});
  for (const WorkKind& kind : workKinds())
    if (const char* what = kind.unsaved == nullptr ? nullptr : kind.unsaved(session))
      all.push_back({what, &kind});
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
    if (work.kind != nullptr)
      saveEdits(session, work.kind->kind);
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
