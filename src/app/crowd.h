// The stress scene: copies of one character on a grid, each in its own pose, until a number of
// vertices is reached. Shared by the benchmark and the viewer.
#pragma once

#include "app/workbench.h"

#include <cstddef>
#include <vector>

namespace sinew {

// One character: which clip it plays, where in it, and how fast.
struct CrowdMember {
  std::optional<std::uint32_t> clip;
  float start = 0.0f;
  float speed = 1.0f;
  PoseMemory memory;
};

struct Crowd {
  std::vector<CrowdMember> members;
  std::vector<vec3> offsets; // world space, one per member
  Bounds bounds;             // of the whole crowd
  // Of the current moment: the members' palettes one behind another.
  std::vector<vec4> rows;
  bool nonUniformScale = false;
  std::vector<MorphWeights> morphWeights; // per member; none: the model has no morph targets
  EvaluateCost cost;
  // Scratch, kept so that no frame allocates.
  Pose pose;
  std::vector<mat4> modelFromNode;
};

// The fewest members whose vertices reach the number, at least one. The same for the same model.
Crowd makeCrowd(const Workbench& bench, std::size_t vertices);

// Poses every member at `seconds` and packs its palette by the method. A character
// without clips sways: every joint turns a little, each member differently.
void evaluateCrowd(const Workbench& bench, const BoundMethod& bound, Crowd& crowd, float seconds);

} // namespace sinew
