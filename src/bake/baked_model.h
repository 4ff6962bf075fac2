// The model of a bake: new weights, helper joints in scene graph and skins, corrective shapes as
// morph targets, and the motion of both in every clip.
#pragma once

#include "bake/bake.h"

namespace sinew {

// A helper's name: that of the joint that it helps, this, and a number.
inline constexpr std::string_view kHelperSuffix = "_helper";

// One clip as an engine plays it, against the target.
struct BakedClipErrors {
  std::string name;
  std::size_t keys = 0;
  BakeError atKeys, between; // half way between keys
  BakeError linear;          // the model's own weights, at both
  double excess = 0.0;       // most by which a moment is farther off than linear blending
  std::string excessAt;
};

struct BakedClips {
  Model model;
  std::vector<std::uint32_t> sources; // per clip of the model: that of the workbench's model
  BakeError error;                    // at keys and half way between them
  std::vector<BakedClipErrors> clips;
};

// The poses of these shapes, of the baked model: with its helpers and corrective shapes.
std::vector<Pose> bakedPoses(const BakeShapes& shapes, const Model& source, const Model& baked);

// clips: of the workbench's model that the result keeps, with the motion of helpers at all keys of
// their own tracks, and at least so many times a second. Where interpolation is off by more than
// the tolerance, a share of the model's size, there are more keys. Free splines are gone; morph
// targets and their tracks stay. Throws Cancelled.
BakedClips bakedModel(const BakeResult& result, const std::vector<std::uint32_t>& clips,
                      double framesPerSecond, double tolerance = 0.005,
                      const Progress& progress = {});

} // namespace sinew
