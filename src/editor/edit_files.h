// Opens and saves edits. Problems are reported as messages; Document::saved holds what was last
// saved or opened.
#pragma once

#include "editor/work_kinds.h"

#include <filesystem>
#include <string>

namespace sinew {

// Opens any kind of work from a .json file, by what the file says it is. False if it is no such
// file.
bool openEdits(Session& session, const std::string& file);
// Holds SessionOptions::pose. An error in it counts as a failed import.
void holdSavedPose(Session& session);
// Holds SessionOptions::morphs. An error counts as a failed import too.
void holdGivenMorphs(Session& session);

// The file beside the model that is read with it, or else an unused name in its folder.
std::filesystem::path defaultSavePath(const Session& session, SaveKind kind);
// Saves to the path; without a path to defaultSavePath(). A model that was made here takes its bend
// ranges, drivers, velocity map and ragdoll along, in files beside it.
void saveEdits(Session& session, SaveKind kind, std::filesystem::path path = {});

} // namespace sinew
