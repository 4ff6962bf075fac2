// What Method::shows is: for methods of the program's own, such as a baked one.
#pragma once

#include "rig/rig.h"

#include <functional>
#include <span>
#include <vector>

namespace sinew {

// A pose of a model.
struct PoseView {
  std::span<const mat4> modelFromNode; // F of every node of the hierarchy
  std::span<const float> twists;       // Pose::twists
  std::span<const float> morphWeights; // one per morph target; none: all 0
};

// Another model that a method shows in the place of the given one, as a baked one is. It has the
// same vertices, and behind the same nodes and morph targets some of its own. Method::bind takes
// the given rig all the same, and Method::pack takes poses of either.
struct ShownModel {
  struct Pose {
    std::vector<mat4> modelFromNode;
    std::vector<float> morphWeights;
  };
  std::function<const Rig&()> rig;                // the shown model's, for its morph targets
  std::function<Pose(const PoseView& pose)> pose; // in a pose of the given model
};

} // namespace sinew
