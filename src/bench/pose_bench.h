// Measures posing without drawing: many characters, each at its own time of one clip, from the clip
// to the palette of linear blending.
#pragma once

#include "bench/bench.h"

#include <string>
#include <vector>

namespace sinew {

struct PoseBenchResult {
  std::string layout;
  std::string help;
  Distribution nsPerJoint;        // over the rounds
  float largestDifference = 0.0f; // between palette entries and those of one-by-one
};

// What each step takes where characters are posed one by one, nanoseconds a joint: medians over the
// rounds.
struct PoseStages {
  double sample = 0.0;
  double modelFromNodes = 0.0;
  double palette = 0.0;
};

struct PoseBenchReport {
  std::string model, clip, cpu;
  std::size_t characters = 0;
  std::size_t joints = 0; // joints of the rig; nanoseconds are per joint
  std::size_t nodes = 0;
  int rounds = 0;
  PoseStages stages;
  std::vector<PoseBenchResult> results; // one-by-one first
};

// 64 joints and a clip of four seconds at 30 frames a second, all joints turning.
Model poseBenchModel();

// Rounds of the layouts alternate; the first warms up and does not count. Throws usageError where
// no clip plays.
PoseBenchReport runPoseBench(const Workbench& workbench, std::size_t characters, int rounds);

} // namespace sinew
