// Motions of other files: their clips added to the model's own, as one edit; and who moves whom in
// a motion that was put on the model, changed by hand.
#pragma once

#include "animation/retarget/motion_map.h"

#include <string>
#include <vector>

namespace sinew {

struct MotionReport;
struct Session;

// Reads the files in the background; their clips follow those there are.
void addMotionFiles(Session& session, const std::vector<std::string>& files);

// The same for one file, with a map of its joints. Plays its first clip.
void playMotionFile(Session& session, const std::string& file, const MotionMap& map);

// True when reading has ended: with a step of the history, or a message with the reason.
bool pollAddedMotions(Session& session);

// The joints of the motion that move, and those of the model, by name.
std::vector<std::string> motionJoints(const MotionReport& report);
std::vector<std::string> modelJoints(const MotionReport& report);

// Puts the motion on the model again by this map: camera, clip and time stay.
void remapMotion(Session& session, const MotionMap& map);

} // namespace sinew
