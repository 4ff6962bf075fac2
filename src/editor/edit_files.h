// Opens and saves edits. Problems are reported as messages; Document::saved holds what was last
// saved or opened.
#pragma once

#include "editor/work_kinds.h"

#include <filesystem>
#include <string>

namespace sinew {

// Any kind of work that is read from a .json file, by what the file says it is; false if it is no
// such file.
bool openEdits(Session& session, const std::string& file);
// SessionOptions::pose. An error in it counts as a failed import.
void holdSavedPose(Session& session);
// SessionOptions::morphs, likewise.
void holdGivenMorphs(Session& session);

// The sidecar that was read with the model, or else an unused name next to the model.
std::filesystem::path defaultSavePath(const Session& session, SaveKind kind);
// To the path; without one to defaultSavePath().
void saveEdits(Session& session, SaveKind kind, std::filesystem::path path = {});

} // namespace sinew
