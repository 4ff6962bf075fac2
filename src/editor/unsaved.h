// Work that is in no file, and the question that is asked before it is discarded: on quitting and
// on opening another model.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sinew {

struct Session;
struct WorkKind;

struct UnsavedWork {
  std::string what;               // "the painted weights"
  const WorkKind* kind = nullptr; // none where it cannot be saved yet
  bool endsAsClip = false;        // saving ends it, and saves the clip that it becomes
};

std::vector<UnsavedWork> unsavedWork(const Session& session);

// Saves what can be; messages say where, and what has to be done before the rest can be.
void saveWork(Session& session);

// A question waits in Session::discard; `then` runs when it is answered, or at once where nothing
// is unsaved.
struct DiscardQuestion {
  bool asked = false;     // shown
  std::string doing = {}; // "Quit", "Open fox.glb"
  std::function<void(Session&)> then = {};
};

void confirmDiscard(Session& session, std::string doing, std::function<void(Session&)> then);

// The answers. Where something cannot be saved, a message says why and nothing is discarded.
void saveAndContinue(Session& session);
void discardWork(Session& session);
void cancelDiscard(Session& session);

// Ctrl+Q and the window's close button; a second time means it.
void askToQuit(Session& session);

} // namespace sinew
