// Editing the weights of morph targets: part of the edited pose, so that undo, saved poses and the
// way back to the clip are the pose's.
#pragma once

#include "editor/document/document.h"

namespace sinew {

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
