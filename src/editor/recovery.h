// Work that is in no file when the program is told to end by a signal: written to a file of the
// user's state folder, in the same documents that saving writes, and offered by the next start.
//
// The file: {"sinew": "recovery", "request": what was opened and how, "edits": {KIND: document}}.
// KIND is pose, zones, layers, drivers, weights, splines or ragdoll; model is a whole .glb
// (base64), for a bound skin, keyed clips, and weights that no other file can have.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct Session;

// $XDG_STATE_HOME/sinew, else ~/.local/state/sinew.
std::filesystem::path stateFolder();

// What unsavedWork() lists, but for a skeleton that is not bound yet. Atomically, for the user
// alone (mode 0600), in a file of its own; creates the folder. Returns its path; empty: nothing is
// unsaved. Throws usageError where it cannot be written.
std::filesystem::path writeRecovery(const Session& session, const std::filesystem::path& folder);

struct Recovery {
  std::filesystem::path file;
  std::string model; // the file or demo:NAME that was opened
};

// The recoveries in a folder, the oldest first. Files that cannot be read are left out and stay.
std::vector<Recovery> findRecoveries(const std::filesystem::path& folder);

// Opens the model; its edits follow when it has been read (restoreEdits), as a step of the history.
void restoreRecovery(Session& session, const Recovery& recovery);
void discardRecovery(Session& session, const Recovery& recovery);

// The edits of a recovery file, onto the model that has just been read for it. Removes the file
// where all of them are restored; else messages say what is missing and where the file is.
void restoreEdits(Session& session, const std::filesystem::path& file);

} // namespace sinew
