// Who moves whom in a motion that was put on the model, changed by hand.
#pragma once

#include "animation/retarget/motion_map.h"

#include <string>
#include <vector>

namespace sinew {

struct MotionReport;
struct Session;

// The joints of the motion that move, and those of the model, by name.
std::vector<std::string> motionJoints(const MotionReport& report);
std::vector<std::string> modelJoints(const MotionReport& report);

// Puts the motion on the model again by this map: camera, clip and time stay.
void remapMotion(Session& session, const MotionMap& map);

} // namespace sinew
