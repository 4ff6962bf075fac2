// Corrective shapes: a sculpted pose brought back to bind space as a morph target, and a pose
// driver that weighs it.
#pragma once

#include "app/workbench.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

struct CorrectiveOptions {
  std::string name;                // of the shape; no morph target has it
  std::vector<std::string> joints; // whose rotations weigh it; empty: turnedJoints()
};

struct CorrectiveReport {
  std::string driver;         // that weighs it: a new one, or one of the same joints with a new key
  std::size_t vertices = 0;   // that the shape moves
  float largestOffset = 0.0f; // bind space
  float largestError = 0.0f;  // model space: what is left between the sculpt and the corrected pose
  std::size_t missed = 0;     // vertices that cannot be brought to their places in this pose
};

// Joints turned by more than a degree from rest in the bench's pose that have weight on one of
// these vertices; the nodes' names.
std::vector<std::string> turnedJoints(const Workbench& bench,
                                      std::span<const std::uint32_t> vertices);

// Adds the shape that brings the first method's posed vertices to `places` (one per vertex of the
// rig, model space) in the bench's present pose, and a key there, to `set`, a copy of the bench's
// drivers. Throws usageError: a name in use, an unknown joint, no vertex moved, no joint turned.
CorrectiveReport addCorrective(const Workbench& bench, std::span<const vec3> places,
                               const CorrectiveOptions& options, DriverSet& set);

} // namespace sinew
