// Another file's animation on this model, joint by joint.
//
// Joints are matched by name: exactly, then without name space ("mixamorig:", "Armature|"), case
// and separators. Where the two skeletons have the same joint frames the rotations carry over as
// they are, and where the skeletons are the same everything does, key by key. Where the frames
// differ (a BVH file has none of its own), each joint turns from its own rest by what the other
// turned from its rest, seen in model space; so the rests should show the same pose. Bones keep the
// model's lengths; the way the root travels is scaled by the ratio of the skeletons' sizes.
#pragma once

#include "model/model.h"

#include <string>
#include <vector>

namespace sinew {

struct MotionReport {
  std::vector<std::string> matched;   // the model's joints that move
  std::vector<std::string> unmatched; // the motion's joints the model does not have
  float scale = 1.0f;                 // the model's skeleton over the motion's
  bool sameFrames = false;            // rotations were taken over as they are
  bool exact = false;                 // every key was
};

// Puts motion's clips before the model's own. Throws usageError when the motion has no clips or no
// joint matches; the model is then unchanged.
MotionReport applyMotion(Model& model, const Model& motion);

} // namespace sinew
