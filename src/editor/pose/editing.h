// Editing the pose and the zones. Functions change document.history.live(); commitEdit() makes that
// a step. A pose being edited is held: playback pauses until the pose is released.
#pragma once

#include "animation/mirror.h"
#include "animation/pose_edit.h"
#include "editor/document/document.h"
#include "editor/pose/zone_rings.h"

#include <optional>
#include <vector>

namespace sinew {

// Derived from the model or the selected joint when first needed; a fresh one is always right.
struct PoseEditing {
  std::optional<MirrorMap> mirror;
  std::vector<BoneAxis> axes;
  std::vector<Zone> fitted;
  std::optional<ZoneShape> shape;
  // Angles as typed: one rotation has several triples of angles, and sliders must not jump between
  // them.
  vec3 euler{0.0f};
  AxisAngle axisAngle;
  quat told{1.0f, 0.0f, 0.0f, 0.0f}; // the rotation that both describe
};

// Which joint is the other side's of which.
const MirrorMap& getMirror(const Document& document, PoseEditing& posing);

// The pose to be changed; the current one becomes it, and the clip pauses, where none is held yet.
Pose& editedPose(Document& document);

// Reset the selected joint (all of its transform), and all joints.
void resetJoint(Document& document);
void resetPose(Document& document);

// The whole pose left to right; or the selected joint and its descendants onto the other side. Both
// report what has no other side.
void mirrorPose(Document& document, PoseEditing& posing);
void mirrorJoint(Document& document, PoseEditing& posing);

// The zone of the selected joint, if it rotates against a parent.
const ZoneShape* selectedZone(const Document& document, PoseEditing& posing);
// Whether the active view's method reads zones.
bool usesZones(const Document& document);
// The selected joint's entry in the table of zones; empty: all is fitted.
JointZone selectedZoneEntry(const Document& document);
void setSelectedZoneEntry(Document& document, const JointZone& entry);

// Editing the weights of morph targets: part of the edited pose, so that undo, saved poses and the
// way back to the clip are the pose's.
//
// The weights that are shown: the edited pose's, else those of clip and layers.
MorphWeights shownMorphWeights(const Document& document);

// Changes the edited pose (editedPose()); commitEdit() makes it a step.
void setMorphWeight(Document& document, std::uint32_t target, float weight);

// How strong a morph pose is shown, by the first of its targets.
float shownMorphPose(const Document& document, const MorphPose& pose);

// Gives its targets their weights times `strength`, in the edited pose.
void setMorphPose(Document& document, const MorphPose& pose, float strength);

// All to the model's rest weights, as a step.
void resetMorphWeights(Document& document);

} // namespace sinew
