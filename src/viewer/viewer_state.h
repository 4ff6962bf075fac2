// Everything behind one window: the root that the main loop and the table of actions use. All
// other code takes only the part it needs.
#pragma once

#include "editor/preferences.h"
#include "editor/session.h"
#include "viewer/recording.h"
#include "viewer/state/action.h"
#include "viewer/state/graphics.h"
#include "viewer/state/ui.h"
#include "viewer/tools/tool_state.h"
#include "viewer/viewer.h"

#include <optional>
#include <vector>

namespace sinew {

struct Viewer {
  ViewerOptions options;
  Preferences preferences;
  Session session;
  Ui ui;
  ToolState tools;
  Statistics statistics;
  Recorder recorder;
  std::vector<Action> actions;
  std::vector<Action> found; // these and the session's, while the list under "?" is open
  std::optional<Graphics> graphics;
};

} // namespace sinew
