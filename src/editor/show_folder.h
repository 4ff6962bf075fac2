// Files that were written, in the desktop's programs.
#pragma once

#include <filesystem>

namespace sinew {

struct Session;

// By xdg-open, in the background; a message says where the file is if that cannot be started.
void openOutside(Session& session, const std::filesystem::path& file);

// The folder of the file that was written last, else of the model.
void showFolder(Session& session);

// True when it has ended; a failure is told.
bool pollShowFolder(Session& session);

} // namespace sinew
