// What was made in the window and is in no file yet, and the question before it is let go: on
// quitting, and on opening another model. A held pose is no such work: it is one of many.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sinew {

struct Viewer;

struct UnsavedWork {
  std::string what;                       // "painted weights"
  std::function<void(Viewer&)> save = {}; // none where only more work makes it a file
};

std::vector<UnsavedWork> unsavedWork(const Viewer& viewer);

// "Quit without them?" waits in Ui; `then` runs when that is answered, or at once where nothing is
// unsaved.
struct LeaveQuestion {
  bool asked = false;     // shown
  std::string doing = {}; // "Quit", "Open fox.glb"
  std::function<void(Viewer&)> then = {};
};

void leaveWork(Viewer& viewer, std::string doing, std::function<void(Viewer&)> then);

// The answers. Where something could not be saved, a toast has said why and all stays.
void saveAndLeave(Viewer& viewer);
void leaveUnsaved(Viewer& viewer);
void stay(Viewer& viewer);

// Ctrl+Q and the window's close button; a second time means it.
void askToQuit(Viewer& viewer);

} // namespace sinew
