// Opening models beside the document (document/side_models.h): read in the background, one after
// the other, by the same import as the document.
#pragma once

#include "editor/document/document.h"
#include "editor/importer.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

struct Session;

struct SideModelRequest {
  ModelRequest request;
  std::uint64_t replaces = 0; // SideModel::id; 0: a new one
};

struct SideModelImports {
  std::deque<SideModelRequest> waiting; // the first is being read while the importer runs
  std::unique_ptr<Importer> importer;
  Settings settings; // settings that it is being bound with
  std::string clip;  // the document's clip, by whose name its clip is chosen
  std::uint64_t lastId = 0;
};

// Opens as many as there is room for, up to kMaxModels. A message states the number of others.
void openSideModels(Session& session, const std::vector<std::string>& models);

// Opens the other models that were opened together with the current one (model_files.h).
void openRemainingFiles(Session& session);

// Starts and finishes reading, also for a file that has changed. True if something has happened.
bool pollSideModels(Session& session, double now);

bool isReadingSideModels(const Session& session);
void cancelSideModels(Session& session);

// The side-by-side model becomes the document, and the document its side-by-side model. Asks before
// unsaved work is discarded.
void makeDocument(Session& session, std::uint64_t id);

// Call it after the model of `request` has taken the place of the one of `before`.
void exchangeSideModel(Session& session, const ModelRequest& request, const ModelRequest& before);

} // namespace sinew
