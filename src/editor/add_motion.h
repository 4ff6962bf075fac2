// Clips of other files added to the model's own, as one edit.
#pragma once

#include "animation/retarget/motion_map.h"

#include <string>
#include <vector>

namespace sinew {

struct Session;

// Reads the files in the background; their clips follow those there are.
void addMotionFiles(Session& session, const std::vector<std::string>& files);

// The same for one file and by a map of its joints; its first clip plays.
void playMotionFile(Session& session, const std::string& file, const MotionMap& map);

// True when that has ended: a step of the history, or a message with the reason.
bool pollAddedMotions(Session& session);

} // namespace sinew
