// Another file's animation on this model, joint by joint.
//
// Joints are matched by name: exactly, then without name space ("mixamorig:", "Armature|"), case
// and separators, then by the part of a body the names mean. Where the two skeletons have the same
// joint frames the rotations carry over as they are, and where the skeletons are the same
// everything does, key by key. Where the frames differ (a BVH file has none of its own), each joint
// turns from its own rest by what the other turned from its rest, seen in model space. Rests in
// different poses (T and A) do no harm to joints with one matched joint below, for their bones are
// brought to point the same way; others (hips, chest, hand) should rest alike. Bones keep the
// model's lengths; the way the root travels is scaled by the ratio of the skeletons' sizes.
#pragma once

#include "animation/joint_names.h"

#include <string>
#include <vector>

namespace sinew {

struct MatchedJoint {
  std::string joint;  // of the model
  std::string motion; // what the motion calls it
  NameMatch match = NameMatch::exact;
};

struct MotionReport {
  std::string file;
  std::vector<MatchedJoint> matched;  // the model's joints that move
  std::vector<std::string> unmatched; // the motion's joints the model does not have
  std::vector<std::string> still;     // the model's joints the motion does not move
  float scale = 1.0f;                 // the model's skeleton over the motion's
  bool sameFrames = false;            // rotations were taken over as they are
  bool exact = false;                 // every key was
};

// Puts motion's clips before the model's own. Throws usageError when the motion has no clips or no
// joint matches; the model is then unchanged.
MotionReport applyMotion(Model& model, const Model& motion);

} // namespace sinew
