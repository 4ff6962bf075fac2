#include "editor/motions.h"

#include "animation/retarget/motion.h"
#include "app/load_model.h"
#include "core/error.h"
#include "editor/document/clip_time.h"
#include "editor/document/keying.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sinew {
namespace {

// What a motion is fitted to: the meshes do not matter.
Model skeletonAlone(const Model& model) {
  Model out;
  out.name = model.name;
  out.metersPerUnit = model.metersPerUnit;
  out.hierarchy = model.hierarchy;
  out.skins = model.skins;
  out.morphTargets = model.morphTargets;
  return out;
}

void readMotions(Session& session, const std::vector<std::string>& files, const MotionMap& map,
                 bool play) {
  Document& document = session.document;
  if (files.empty()) return;
  if (!hasModel(document) || document.crowd || drafting(document) || document.joints.empty())
    return notify(document, "there is no single model with joints to add motions to");
  session.tasks.motionsFor = document.revisions.model;
  session.tasks.motionsPlay = play;
  session.tasks.motions->start(
      files.front(),
      [files, map, model = skeletonAlone(document.workbench.model),
       taken = clipNames(document.workbench.model)](const Progress& progress) mutable {
        LoadOptions options;
        options.seconds = std::numeric_limits<double>::infinity();
        options.progress = progress;
        options.motionMap = map;
        std::vector<Clip> clips;
        for (const std::string& file : files) {
          AddedMotion added = motionFor(model, file, options, taken);
          for (Clip& clip : added.clips)
            clips.push_back(std::move(clip));
        }
        return clips;
      });
  notify(document,
         fmt::format("reading {} file{} of motion", files.size(), files.size() == 1 ? "" : "s"));
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

} // namespace

void addMotionFiles(Session& session, const std::vector<std::string>& files) {
  readMotions(session, files, {}, false);
}

void playMotionFile(Session& session, const std::string& file, const MotionMap& map) {
  readMotions(session, {file}, map, true);
}

bool pollAddedMotions(Session& session) {
  Document& document = session.document;
  auto result = session.tasks.motions->take();
  if (!result) return false;
  if (auto* failure = std::get_if<TaskFailure>(&*result)) {
    notify(document, failure->message);
    return true;
  }
  if (document.revisions.model != session.tasks.motionsFor || drafting(document)) {
    notify(document, "the model has changed meanwhile: add the motions again");
    return true;
  }
  auto& clips = std::get<std::vector<Clip>>(*result);
  const std::string first = clips.empty() ? std::string() : clips.front().name;
  addClips(document, std::move(clips));
  if (!session.tasks.motionsPlay || first.empty()) return true;
  releasePose(document);
  setClip(document, first);
  document.settings.playing = true;
  return true;
}

std::vector<std::string> motionJoints(const MotionReport& report) {
  std::vector<std::string> names = report.unmatched;
  for (const MatchedJoint& pair : report.matched)
    names.push_back(pair.motion);
  return sorted(std::move(names));
}

std::vector<std::string> modelJoints(const MotionReport& report) {
  std::vector<std::string> names = report.still;
  for (const MatchedJoint& pair : report.matched)
    names.push_back(pair.joint);
  return sorted(std::move(names));
}

void remapMotion(Session& session, const MotionMap& map) {
  const ModelRequest& loaded = session.document.loaded;
  if (loaded.motion.empty() || map == loaded.motionMap) return;
  putMotion(session, loaded.motion, map);
}

} // namespace sinew
