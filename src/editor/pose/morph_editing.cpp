#include "editor/pose/morph_editing.h"

#include "editor/pose/editing.h"

namespace sinew {
namespace {

MorphWeights& editedWeights(Document& document) {
  Pose& pose = editedPose(document);
  pose.morphWeights = morphWeightsOf(document.bench.model, pose); // also where it had none
  return pose.morphWeights;
}

} // namespace

MorphWeights shownMorphWeights(const Document& document) {
  const std::optional<Pose>& edited = document.history.now().pose;
  return morphWeightsOf(document.bench.model, edited ? *edited : document.bench.pose);
}

void setMorphWeight(Document& document, std::uint32_t target, float weight) {
  editedWeights(document)[target] = weight;
}

void resetMorphWeights(Document& document) {
  editedWeights(document) = restWeights(document.bench.model);
  commitEdit(document, "Reset the morph targets");
}

} // namespace sinew
