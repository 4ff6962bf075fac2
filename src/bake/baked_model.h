// The model of a bake: new weights, helper joints in scene graph and skins, corrective shapes as
// morph targets, and the motion of both in every clip.
#pragma once

#include "bake/bake.h"

namespace sinew {

struct BakedClips {
  Model model;
  BakeError error; // between the frames too: where the two shapes are farthest apart
};

// The poses of these shapes, of the baked model: with its helpers and corrective shapes.
std::vector<Pose> bakedPoses(const BakeShapes& shapes, const Model& source, const Model& baked);

// clips: of the bench's model that the result keeps, with the motion of helpers at so many frames a
// second. Free splines are gone; morph targets and their tracks stay. Throws Cancelled.
BakedClips bakedModel(const BakeResult& result, const std::vector<std::uint32_t>& clips,
                      double framesPerSecond, const Progress& progress = {});

} // namespace sinew
