// Loads and saves edits. Problems are reported as messages; Document::saved holds what was last
// saved or loaded.
#pragma once

#include "editor/document/document.h"

#include <filesystem>
#include <string>

namespace sinew {

struct BindState;
struct Session;

// A pose, zones, layers, pose drivers or free splines, by what the file says it is; false if it is
// none of them.
bool openEdits(Document& document, const BindState& bind, const std::string& file);
// SessionOptions::pose. An error in it counts as a failed import.
void holdSavedPose(Session& session);
// SessionOptions::morphs, likewise.
void holdGivenMorphs(Session& session);

// To the path; without one, into a file with a free name beside the model (outputFolder()).
void savePose(Document& document, std::filesystem::path path = {});
void saveLayers(Document& document, std::filesystem::path path = {});
void saveModel(Document& document, std::filesystem::path path = {}); // as .glb
// Likewise; without a path beside the model, where they are read with it.
void saveZones(Document& document, std::filesystem::path path = {});
void saveDrivers(Document& document, std::filesystem::path path = {});
void saveWeights(Document& document, std::filesystem::path path = {});
void saveSplines(Document& document, const BindState& bind, std::filesystem::path path = {});

} // namespace sinew
