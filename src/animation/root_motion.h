// Root motion: how a clip moves the character over the ground; removed, or accumulated over loops.
#pragma once

#include "animation/pose.h"
#include "animation/time_map.h"

#include <optional>

namespace sinew {

enum class RootMotion {
  keep,       // as in the clip: every loop starts where the first did
  off,        // in place
  accumulate, // every loop starts where the previous one ended
};

// The topmost node among the joints and their ancestors whose translation a clip changes by more
// than a thousandth of the skeleton's size, and its path. Model space; heights are zero in both
// vectors.
struct RootPath {
  std::uint32_t node = 0;
  vec3 start{0.0f};
  vec3 travel{0.0f}; // from the start of the range to its end
};

// None: the clip moves none of these nodes. The range is the map's.
std::optional<RootPath> rootPath(const Model& model, const Clip& clip, const TimeMap& map);

// Moves the path's node in a pose of the clip, horizontally in model space only.
void moveRoot(const Hierarchy& hierarchy, const RootPath& path, RootMotion motion, double loops,
              Pose& pose);

} // namespace sinew
