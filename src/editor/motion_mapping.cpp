#include "editor/motion_mapping.h"

#include "animation/retarget/motion.h"
#include "core/error.h"
#include "core/file.h"
#include "editor/document/output_name.h"
#include "editor/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

} // namespace

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

void saveMotionMap(Document& document, std::filesystem::path path) {
  if (document.loaded.motion.empty()) return;
  try {
    if (path.empty())
      path = freeName(outputFolder(document.loaded.model),
                      stemOf(document.bench.model) + "-motion-map", ".json");
    writeFile(path, motionMapText(document.loaded.motionMap));
    document.loaded.motionMapSaved = document.loaded.motionMap;
    notifySaved(document, path, "; --motion-map reads it");
  } catch (const Error& problem) {
    notify(document, problem.what());
  }
}

} // namespace sinew
