// The ways of posing that the program has, to be measured: alone, in a crowd, by threads. What
// each makes is the palette of linear blending: sample, F, F * A^-1. What else was measured is in
// docs/log/performance.md.
#pragma once

#include "model/clip.h"
#include "rig/rig.h"
#include "skinning/methods.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

struct PoseScene {
  const Model& model;
  const Clip& clip;
  const Rig& rig;
  const Binding& binding; // binding of linear blending
  std::size_t characters = 0;
};

class PoseLayout {
 public:
  virtual ~PoseLayout() = default;
  // The palette of a character at a time of looping playback.
  virtual void pose(std::size_t character, float time, std::span<vec4> rows) = 0;
  // Writes the rows of all characters, one behind another.
  virtual void poseAll(std::span<const float> times, std::span<vec4> rows);
};

struct PoseLayoutEntry {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<PoseLayout> (*make)(const PoseScene& scene);
};

// The first is what poses a character alone, and what the others are compared with.
std::span<const PoseLayoutEntry> poseLayouts();

} // namespace sinew
