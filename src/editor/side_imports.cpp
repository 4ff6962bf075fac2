#include "editor/side_imports.h"

#include "app/clip_bounds.h"
#include "editor/document/framing.h"
#include "editor/document/side_models.h"
#include "editor/document/views.h"
#include "editor/importer.h"
#include "editor/preferences.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace sinew {
namespace {

std::string fileName(const ModelRequest& request) {
  return std::filesystem::path(request.model).filename().string();
}

// The clip of that name, where there is one, in the place of the first one.
Importer::Load followingClip(Importer::Load load, std::string clip, Settings settings) {
  return [load = std::move(load), clip = std::move(clip),
          settings = std::move(settings)](const ImportProgress& progress) {
    Imported imported = load(progress);
    Settings chosen = settings;
    chosen.clip = clipNamed(imported.workbench.model, clip);
    if (chosen.clip.empty()) return imported;
    chooseClip(imported.workbench, chosen);
    evaluate(imported.workbench, 0.0, getWrap(chosen));
    imported.bounds = outlineOverClip(imported.workbench, getWrap(chosen));
    return imported;
  };
}

void startReading(Session& session) {
  Document& document = session.document;
  SideModelImports& beside = session.sideImports;
  const SideModelRequest& next = beside.waiting.front();
  SideModel fresh;
  const SideModel* before = findSideModel(document, next.replaces);
  fresh.choice = before != nullptr ? before->choice : activeChoice(document);
  beside.settings = settingsFor(document, fresh);
  beside.settings.clip.clear(); // chosen once it is known which there are
  beside.clip = clipToFollow(document);
  beside.settings.time = beside.settings.rangeStart = beside.settings.rangeEnd = 0.0f;
  const ModelRequest& request = next.request;
  beside.importer->start(fileName(request), followingClip(loadForSession(request, beside.settings),
                                                          beside.clip, beside.settings));
}

void show(Session& session, const SideModelRequest& read, Imported&& imported) {
  Document& document = session.document;
  SideModel* sideModel = findSideModel(document, read.replaces);
  if (sideModel == nullptr && read.replaces != 0) return; // removed meanwhile
  if (sideModel == nullptr) {
    sideModel = &document.sideModels.emplace_back();
    sideModel->id = ++session.sideImports.lastId;
    sideModel->choice = session.sideImports.settings.methods.front();
  }
  sideModel->request = read.request;
  sideModel->workbench = std::move(imported.workbench);
  sideModel->bounds = imported.bounds;
  sideModel->joints = jointNodes(sideModel->workbench.model);
  sideModel->framedAt = jointCenter(sideModel->joints, sideModel->workbench.modelFromNode);
  sideModel->applied = session.sideImports.settings;
  sideModel->followedClip = session.sideImports.clip;
  sideModel->changes.model = sideModel->stale = true;
  sideModel->watch = {};
  if (!read.request.model.starts_with("demo:")) {
    sideModel->watch = watchFile(read.request.model);
    addRecent(session.recent, read.request.model);
  }
  if (const std::size_t warnings = sideModel->workbench.model.warnings.size(); warnings > 0)
    notify(document, fmt::format("{}: {} warning{}", fileName(read.request), warnings,
                                 warnings == 1 ? "" : "s"));
  arrangeSideModels(document);
}

// A side-by-side model whose file has changed is read again.
bool watchFiles(Session& session, double now) {
  bool changed = false;
  for (SideModel& sideModel : session.document.sideModels) {
    FileWatch& watch = sideModel.watch;
    if (watch.path.empty() || !settledChange(watch, readStamp(watch.path), now)) continue;
    notify(session.document,
           fmt::format("{} has changed: read again", fileName(sideModel.request)));
    session.sideImports.waiting.push_back({sideModel.request, sideModel.id});
    changed = true;
  }
  return changed;
}

} // namespace

void openSideModels(Session& session, const std::vector<std::string>& models) {
  Document& document = session.document;
  if (session.options.stressVertices > 0)
    return notify(document, "the stress scene has no models beside it");
  std::deque<SideModelRequest>& waiting = session.sideImports.waiting;
  std::size_t left = 0;
  for (const std::string& model : models) {
    const auto others = static_cast<std::size_t>(
        std::ranges::count(waiting, std::uint64_t{0}, &SideModelRequest::replaces));
    if (1 + document.sideModels.size() + others < kMaxModels)
      waiting.push_back({{{.model = model}}});
    else
      ++left;
  }
  if (left > 0)
    notify(document, fmt::format("up to {} models are shown side by side: {} left out; remove one "
                                 "(Shift+V) to make room",
                                 kMaxModels, left));
}

void openRemainingFiles(Session& session) {
  std::vector<std::string> others = session.files;
  const std::string& now =
      session.imports.importing ? session.imports.importing->model : session.document.loaded.model;
  std::erase(others, now);
  std::erase_if(others, [&](const std::string& file) {
    return std::ranges::any_of(session.document.sideModels, [&](const SideModel& sideModel) {
      return sideModel.request.model == file;
    });
  });
  if (others.empty())
    return notify(session.document,
                  "no other models were opened together: File, Open beside... chooses one");
  openSideModels(session, others);
}

bool isReadingSideModels(const Session& session) {
  return !session.sideImports.waiting.empty();
}

void cancelSideModels(Session& session) {
  if (!isReadingSideModels(session)) return;
  session.sideImports.importer->cancel();
  notify(session.document, fmt::format("reading {} was cancelled",
                                       fileName(session.sideImports.waiting.front().request)));
  session.sideImports.waiting.clear();
}

bool pollSideModels(Session& session, double now) {
  SideModelImports& beside = session.sideImports;
  Document& document = session.document;
  if (session.imports.importing || session.imports.pending) return false; // it comes first
  if (!hasModel(document)) {                                              // and has failed
    beside.waiting.clear();
    return false;
  }
  const bool changed = watchFiles(session, now);
  if (beside.waiting.empty()) return changed;
  if (!beside.importer->running()) {
    ModelRequest& next = beside.waiting.front().request;
    if (next.textureFolders.empty()) next.textureFolders = document.loaded.textureFolders;
    startReading(session);
    return true;
  }
  auto result = beside.importer->take();
  if (!result) return changed;
  const SideModelRequest read = std::move(beside.waiting.front());
  beside.waiting.pop_front();
  if (auto* imported = std::get_if<Imported>(&*result)) {
    show(session, read, std::move(*imported));
    return true;
  }
  const auto& failure = std::get<ImportFailure>(*result);
  if (session.options.unattended) {
    session.imports.failure = failure; // whoever runs it throws the failure
  } else {
    fmt::print(stderr, "sinew: {}\n", failure.message);
    notify(document, failure.message);
  }
  return true;
}

void makeDocument(Session& session, std::uint64_t id) {
  const SideModel* sideModel = findSideModel(session.document, id);
  if (sideModel == nullptr) return;
  if (std::ranges::find(session.sideImports.waiting, id, &SideModelRequest::replaces) !=
      session.sideImports.waiting.end())
    return notify(session.document, "another model is being read for this view: wait for it");
  confirmDiscard(session, fmt::format("Open {}", fileName(sideModel->request)), [id](Session& s) {
    const SideModel* chosen = findSideModel(s.document, id);
    if (chosen == nullptr) return;
    ModelRequest request = chosen->request;
    const Workbench& workbench = chosen->workbench;
    request.clip =
        workbench.clip ? clipWord(workbench.model, *workbench.clip) : chosen->applied.clip;
    request.beside = id;
    openModel(s, std::move(request));
  });
}

void exchangeSideModel(Session& session, const ModelRequest& request, const ModelRequest& before) {
  SideModelRequest again{before, request.beside};
  again.request.reload = again.request.fallback = again.request.motionIfBare = false;
  session.sideImports.waiting.push_back(std::move(again));
}

} // namespace sinew
