// Skinning undone: where a vertex has to be before a method skins it, so that it comes to a given
// place. That is what makes a corrective shape of a sculpted pose.
#pragma once

#include "skinning/method.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct InverseSkinning {
  std::vector<vec3> offsets; // per vertex of the rig, bind space; added before skinning
  float largestError = 0.0f; // distance from its place that is left, model space
  std::uint32_t worst = 0;   // vertex with the largest error
  std::size_t missed = 0;    // vertices left farther off than a 1e-4th of the mesh's size
};

// For a fixed pose a method places a vertex by an affine function of where it is in bind space, or,
// with splines, of its offset in the spline's frame: the function is found by differences, and its
// inverse by damped least squares, a few times over. So it holds for every method, with morph
// targets at `weights` beneath. A vertex that the pose flattens is brought as near as it can be.
// places: one per vertex of the rig, model space.
InverseSkinning invertSkinning(const Method& method, const Rig& rig, const Binding& binding,
                               const Palette& palette, std::span<const float> weights,
                               std::span<const vec3> places);

} // namespace sinew
