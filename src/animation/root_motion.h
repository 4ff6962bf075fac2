// How a clip carries the character over the ground, and that taken out or added up over loops.
#pragma once

#include "animation/pose.h"
#include "animation/time_map.h"

#include <optional>

namespace sinew {

enum class RootMotion {
  keep,       // as the clip has it: every loop starts where the first did
  off,        // on the spot
  accumulate, // every loop starts where the one before has ended
};

// The topmost node on a joint's way up whose translation a clip changes by more than a thousandth
// of the skeleton, and where it goes. Model space; heights are zero in both vectors.
struct RootPath {
  std::uint32_t node = 0;
  vec3 start{0.0f};
  vec3 travel{0.0f}; // from the start of the range to its end
};

// None: the clip leaves all of them in place. The range is that of the map.
std::optional<RootPath> rootPath(const Model& model, const Clip& clip, const TimeMap& map);

// Moves the path's node in a pose of the clip; only horizontally, as model space sees it.
void moveRoot(const Hierarchy& hierarchy, const RootPath& path, RootMotion motion, double loops,
              Pose& pose);

} // namespace sinew
