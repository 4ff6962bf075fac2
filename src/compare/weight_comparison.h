// Compares automatic weights with other weights of the same mesh: `sinew weights --compare`.
#pragma once

#include "app/load_model.h"
#include "weights/automatic_weights.h"
#include "weights/bind_model.h"
#include "weights/quality.h"
#include "weights/skeleton.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sinew {

// Weights for the joints of a skeleton, one vertex of the mesh after another; a vertex that is
// given none has none.
struct ReferenceWeightSet {
  std::string from;
  Influences influences;
};

// `from`: a .txt or .dmat of weights for the bones of the .tgf `skeletonName`, a .json of ours, or
// a model of the same vertices, its joints found by name: the mesh's own file will do. meshes: what
// meshesAlone() made of `meshName`. Throws inputError where they do not fit together.
ReferenceWeightSet loadReferenceWeightSet(const std::string& from, const std::string& meshName,
                                          const Model& meshes, const std::string& skeletonName,
                                          const Skeleton& skeleton,
                                          const LoadOptions& options = {});

struct WeightComparison {
  std::string with;
  WeightDistance distance;
  WeightSmoothness smoothness;
  WeightSmoothness referenceSmoothness;
};

WeightComparison compareWeights(const JoinedMeshes& mesh, const Skeleton& skeleton,
                                const Influences& influences, const ReferenceWeightSet& reference);

nlohmann::ordered_json comparisonJson(const WeightComparison& comparison);
std::string comparisonText(const WeightComparison& comparison);

} // namespace sinew
