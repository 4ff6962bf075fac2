// Corrective shapes: a sculpted pose brought back to bind space as a morph target, and a pose
// driver that weighs it.
#pragma once

#include "app/workbench.h"

#include <span>
#include <string>
#include <vector>

namespace sinew {

struct CorrectiveOptions {
  std::string name;                // name of the shape; no morph target has it
  std::vector<std::string> joints; // joints whose rotations weigh it; empty: turnedJoints()
  std::size_t method = 0;          // method it was sculpted with: index into Workbench::bound
};

struct CorrectiveReport {
  std::string driver;       // weighs the shape: a new one, or one of the same joints with a new key
  std::size_t vertices = 0; // vertices that the shape moves
  float largestOffset = 0.0f; // bind space
  float largestError = 0.0f;  // model space: distance left from the sculpt to the corrected pose
  std::size_t missed = 0;     // vertices that cannot be brought to their places in this pose
};

// The offsets of the rig's vertices (bind space) as a shape, without those of at most `least`.
CorrectiveShape makeCorrectiveShape(const Rig& rig, const std::string& name,
                                    std::span<const vec3> offsets, float least);

// Joints turned by more than a degree from rest in the workbench's pose that have weight on one of
// these vertices; the nodes' names.
std::vector<std::string> turnedJoints(const Workbench& workbench,
                                      std::span<const std::uint32_t> vertices);

// The name of the corrective shape whose key the workbench's pose is; empty: there is none.
std::string correctiveHere(const Workbench& workbench, const DriverSet& set);

// Adds to that shape what brings the method's posed vertices to `places`.
CorrectiveReport changeCorrective(const Workbench& workbench, std::span<const vec3> places,
                                  const std::string& shape, std::size_t method, DriverSet& set);

// Adds the shape that brings the method's posed vertices to `places` (one per vertex of the
// rig, model space) in the workbench's present pose, and a key there, to `set`, a copy of the
// workbench's drivers. Throws usageError: a name in use, an unknown joint, no vertex moved, no
// joint turned.
CorrectiveReport addCorrective(const Workbench& workbench, std::span<const vec3> places,
                               const CorrectiveOptions& options, DriverSet& set);

} // namespace sinew
