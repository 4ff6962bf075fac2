// All that a session does on threads: whether any of it is under way, and taking what has ended.
#pragma once

#include "editor/session.h"

#include <string>

namespace sinew {

// Reading, binding, baking, fitting or drawing a figure.
bool hasRunningTask(const Session& session);

// What runs in the background, with how far it is: "Checking Fox 40 %"; empty: nothing.
std::string describeRunningTasks(const Session& session);

// Takes the results; true where there is something new to show. A model that has been read waits in
// imports.pending. now: seconds, for files that are watched.
bool pollTasks(Session& session, double now);

} // namespace sinew
