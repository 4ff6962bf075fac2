#include "editor/pose/morph_editing.h"

#include "editor/pose/editing.h"
#include "model/morph_targets.h"

namespace sinew {
namespace {

MorphWeights& editedWeights(Document& document) {
  Pose& pose = editedPose(document);
  pose.morphWeights = getMorphWeights(document.workbench.model, pose); // also where it had none
  return pose.morphWeights;
}

} // namespace

MorphWeights shownMorphWeights(const Document& document) {
  const std::optional<Pose>& edited = document.history.now().pose;
  return getMorphWeights(document.workbench.model, edited ? *edited : document.workbench.pose);
}

void setMorphWeight(Document& document, std::uint32_t target, float weight) {
  editedWeights(document)[target] = weight;
}

float shownMorphPose(const Document& document, const MorphPose& pose) {
  const MorphWeights weights = shownMorphWeights(document);
  for (const MorphPoseWeight& each : pose.weights)
    if (each.weight != 0.0f && each.target < weights.size())
      return weights[each.target] / each.weight;
  return 0.0f;
}

void setMorphPose(Document& document, const MorphPose& pose, float strength) {
  MorphWeights& weights = editedWeights(document);
  for (const MorphPoseWeight& each : pose.weights)
    weights[each.target] = shownStrength(pose, strength) * each.weight;
}

void resetMorphWeights(Document& document) {
  editedWeights(document) = restWeights(document.workbench.model);
  commitEdit(document, "Reset the morph targets");
}

} // namespace sinew
