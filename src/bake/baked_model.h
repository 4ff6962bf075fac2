// The model of a bake: new weights, helper joints in scene graph and skins, and their motion in
// every clip.
#pragma once

#include "bake/bake.h"

namespace sinew {

struct BakedClips {
  Model model;
  BakeError error; // between the frames too: where the two shapes are farthest apart
};

// clips: of the bench's model that the result keeps, with the motion of helpers at so many frames a
// second. Free splines are gone; morph targets and their tracks stay. Throws Cancelled.
BakedClips bakedModel(const BakeResult& result, const std::vector<std::uint32_t>& clips,
                      double framesPerSecond, const Progress& progress = {});

} // namespace sinew
