#include "editor/beside.h"

#include "app/clip_bounds.h"
#include "editor/document/companions.h"
#include "editor/document/framing.h"
#include "editor/document/views.h"
#include "editor/load.h"
#include "editor/recent_files.h"
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
    chosen.clip = clipNamed(imported.bench.model, clip);
    if (chosen.clip.empty()) return imported;
    chooseClip(imported.bench, chosen);
    evaluate(imported.bench, 0.0, getWrap(chosen));
    imported.bounds = outlineOverClip(imported.bench, getWrap(chosen));
    return imported;
  };
}

void startReading(Session& session) {
  Document& document = session.document;
  BesideState& beside = session.beside;
  const BesideRequest& next = beside.waiting.front();
  Companion fresh;
  const Companion* before = findCompanion(document, next.replaces);
  fresh.choice = before != nullptr ? before->choice : activeChoice(document);
  beside.settings = settingsFor(document, fresh);
  beside.settings.clip.clear(); // chosen once it is known which there are
  beside.clip = clipToFollow(document);
  beside.settings.time = beside.settings.rangeStart = beside.settings.rangeEnd = 0.0f;
  const ModelRequest& request = next.request;
  beside.importer->start(fileName(request), followingClip(loadForSession(request, beside.settings),
                                                          beside.clip, beside.settings));
}

void show(Session& session, const BesideRequest& read, Imported&& imported) {
  Document& document = session.document;
  Companion* companion = findCompanion(document, read.replaces);
  if (companion == nullptr && read.replaces != 0) return; // removed meanwhile
  if (companion == nullptr) {
    companion = &document.companions.emplace_back();
    companion->id = ++session.beside.lastId;
    companion->choice = session.beside.settings.methods.front();
  }
  companion->request = read.request;
  companion->bench = std::move(imported.bench);
  companion->bounds = imported.bounds;
  companion->joints = jointNodes(companion->bench.model);
  companion->framedAt = jointCenter(companion->joints, companion->bench.modelFromNode);
  companion->applied = session.beside.settings;
  companion->followedClip = session.beside.clip;
  companion->changes.model = companion->stale = true;
  companion->watch = {};
  if (!read.request.model.starts_with("demo:")) {
    companion->watch = watchFile(read.request.model);
    addRecent(session.recent, read.request.model);
  }
  if (const std::size_t warnings = companion->bench.model.warnings.size(); warnings > 0)
    notify(document, fmt::format("{}: {} warning{}", fileName(read.request), warnings,
                                 warnings == 1 ? "" : "s"));
  arrangeCompanions(document);
}

// A companion whose file has changed is read again.
bool watchFiles(Session& session, double now) {
  bool changed = false;
  for (Companion& companion : session.document.companions) {
    FileWatch& watch = companion.watch;
    if (watch.path.empty() || !settledChange(watch, readStamp(watch.path), now)) continue;
    notify(session.document,
           fmt::format("{} has changed: read again", fileName(companion.request)));
    session.beside.waiting.push_back({companion.request, companion.id});
    changed = true;
  }
  return changed;
}

} // namespace

void openBeside(Session& session, const std::vector<std::string>& models) {
  Document& document = session.document;
  if (session.options.stressVertices > 0)
    return notify(document, "the stress scene has no models beside it");
  std::deque<BesideRequest>& waiting = session.beside.waiting;
  std::size_t left = 0;
  for (const std::string& model : models) {
    const auto others = static_cast<std::size_t>(
        std::ranges::count(waiting, std::uint64_t{0}, &BesideRequest::replaces));
    if (1 + document.companions.size() + others < kMaxModels)
      waiting.push_back({{{.model = model}}});
    else
      ++left;
  }
  if (left > 0)
    notify(document, fmt::format("up to {} models are shown side by side: {} left out; remove one "
                                 "(Shift+V) to make room",
                                 kMaxModels, left));
}

void openFilesBeside(Session& session) {
  std::vector<std::string> others = session.files;
  const std::string& now =
      session.imports.importing ? session.imports.importing->model : session.document.loaded.model;
  std::erase(others, now);
  std::erase_if(others, [&](const std::string& file) {
    return std::ranges::any_of(session.document.companions, [&](const Companion& companion) {
      return companion.request.model == file;
    });
  });
  if (others.empty())
    return notify(session.document,
                  "no other models were opened together: File, Open beside... chooses one");
  openBeside(session, others);
}

bool readingBeside(const Session& session) {
  return !session.beside.waiting.empty();
}

void cancelBeside(Session& session) {
  if (!readingBeside(session)) return;
  session.beside.importer->cancel();
  notify(session.document,
         fmt::format("reading {} was cancelled", fileName(session.beside.waiting.front().request)));
  session.beside.waiting.clear();
}

bool pollBeside(Session& session, double now) {
  BesideState& beside = session.beside;
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
  const BesideRequest read = std::move(beside.waiting.front());
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
  const Companion* companion = findCompanion(session.document, id);
  if (companion == nullptr) return;
  if (std::ranges::find(session.beside.waiting, id, &BesideRequest::replaces) !=
      session.beside.waiting.end())
    return notify(session.document, "another model is being read for this view: wait for it");
  confirmDiscard(session, fmt::format("Open {}", fileName(companion->request)), [id](Session& s) {
    const Companion* chosen = findCompanion(s.document, id);
    if (chosen == nullptr) return;
    ModelRequest request = chosen->request;
    const Workbench& bench = chosen->bench;
    request.clip = bench.clip ? clipWord(bench.model, *bench.clip) : chosen->applied.clip;
    request.beside = id;
    openModel(s, std::move(request));
  });
}

void exchangeCompanion(Session& session, const ModelRequest& request, const ModelRequest& before) {
  BesideRequest again{before, request.beside};
  again.request.reload = again.request.fallback = again.request.motionIfBare = false;
  session.beside.waiting.push_back(std::move(again));
}

} // namespace sinew
