// Save As and reports: what can be saved of a session, each kind to a file of the user's choice,
// and shown outside afterwards.
#pragma once

#include "editor/work_kinds.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// Why there is nothing of that kind to save now; empty: there is.
std::string saveProblem(const Session& session, SaveKind kind);

// The ending is added where it is missing. A message says where it is, or what is wrong.
void saveAs(Session& session, SaveKind kind, std::filesystem::path path);

// `sinew compare` or `sinew page` with the session's model, clip and edits: the words for
// runProgram(). What is in no file yet is written to the folder. Throws usageError where that
// cannot be written.
std::vector<std::string> programWords(const Session& session, SaveKind kind,
                                      const std::filesystem::path& folder,
                                      const std::filesystem::path& output);

void startReport(Session& session, const std::filesystem::path& path);
void startPage(Session& session, const std::filesystem::path& path);
// The report or page on its way: true when it has ended; a message says how.
bool pollReport(Session& session);
bool reporting(const Session& session);

// A file that was written, in the desktop's program for it: by xdg-open, in the background. A
// message says where the file is if that cannot be started.
void openOutside(Session& session, const std::filesystem::path& file);

// The folder of the file that was written last, else of the model.
void showFolder(Session& session);

// True when it has ended; a failure is told.
bool pollShowFolder(Session& session);

} // namespace sinew
