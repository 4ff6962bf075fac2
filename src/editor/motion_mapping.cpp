#include "editor/motion_mapping.h"

#include "animation/retarget/motion.h"
#include "editor/session.h"

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

} // namespace sinew
