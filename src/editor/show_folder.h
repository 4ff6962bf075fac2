// The folder of the file that was written last, in the desktop's file manager.
#pragma once

namespace sinew {

struct Session;

// By xdg-open, in the background; a message says where it is if that cannot be started.
void showFolder(Session& session);

// True when it has ended; a failure is told.
bool pollShowFolder(Session& session);

} // namespace sinew
