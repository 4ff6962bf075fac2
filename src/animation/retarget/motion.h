// Retargeting: another file's animation on this model, joint by joint.
//
// Joints are matched by name: exactly, then without name space ("mixamorig:", "Armature|"), case
// and separators, then by the body part that the names mean. If the two skeletons have the same
// joint frames, rotations are copied; if the skeletons are identical, every key is copied. If the
// frames differ (a BVH file has none of its own), each joint rotates from its own rest by the other
// joint's rotation from its rest, in model space. Different rest poses (T and A) are compensated
// for joints with one matched joint below, whose bones are aligned; others (hips, chest, hand) and
// collars should rest alike. A map (motion_map.h) overrides the names and adds rotations. Bones
// keep the model's lengths; the root's path is scaled by the ratio of the skeletons' sizes.
#pragma once

#include "animation/retarget/joint_names.h"

#include <string>
#include <vector>

namespace sinew {

struct MatchedJoint {
  std::string joint;  // its name in the model
  std::string motion; // its name in the motion
  NameMatch match = NameMatch::exact;
};

struct MotionReport {
  std::string file;
  std::vector<MatchedJoint> matched;  // the model's joints that move
  std::vector<std::string> unmatched; // the motion's joints the model does not have
  std::vector<std::string> still;     // the model's joints the motion does not move
  float scale = 1.0f;                 // the model's skeleton over the motion's
  bool sameFrames = false;            // rotations were copied
  bool exact = false;                 // every key was copied
};

// Puts motion's clips before the model's own. Throws usageError when the motion has no clips or no
// joint matches, or the map names what is not there; the model is then unchanged.
MotionReport applyMotion(Model& model, const Model& motion, const MotionMap& map = {});

} // namespace sinew
