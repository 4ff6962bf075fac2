// How the cost of a frame grows: with vertices, characters, joints and influences, one at a time,
// on a generated tube.
#pragma once

#include "bench/bench.h"
#include "model/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct TubeScale {
  std::uint32_t vertices = 10000; // about
  std::uint32_t joints = 16;
  std::uint32_t influences = 4; // per vertex, or as many as there are joints
  bool scattered = false;       // each vertex has random joints, else the nearest
};

// A tube along a chain of joints that wave in a clip.
Model scalingTube(const TubeScale& scale);

struct ScalingRow {
  std::string axis; // what grows
  TubeScale tube;
  BenchReport report; // "static" and the methods
};

// All rows of crowds up to options.vertices, within about so many seconds, set-up aside; each
// measures at least a frame, after one that warms up. Needs a current context.
std::vector<ScalingRow> runScaling(std::span<const Method* const> chosen, const Settings& settings,
                                   BenchOptions options, double seconds);

} // namespace sinew
