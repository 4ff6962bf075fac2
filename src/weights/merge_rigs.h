// Parts of two rigs in one: joints by their names, the joints of one skeleton in another, and new
// weights in the place of some of a vertex's own.
#pragma once

#include "model/mesh.h"
#include "weights/skeleton.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// Per joint of `from` the joint of `to` with the same name.
using SameJoints = std::vector<std::optional<std::uint32_t>>;
SameJoints sameJoints(const Skeleton& from, const Skeleton& to);

// Adds to `to` the wanted joints of `from` that it lacks, and the joints above them, where they are
// in the bind pose; one without a joint above hangs at the first node. Bones and clips stay.
// wanted: per joint of `from`. Returns sameJoints() of the result.
SameJoints addJoints(const Skeleton& from, const std::vector<bool>& wanted, Skeleton& to);

// The weights that a model has, by the joints of its skeleton: of all vertices of the model in
// order; joints are indices into Skeleton::joints, and none is named twice by a vertex. A rigid
// mesh follows the joint above its node. skeleton: of the model. Throws inputError with `path` for
// a mesh below no joint.
Influences weightsBySkeleton(const Model& model, const Skeleton& skeleton, std::string_view path);

struct WeightChoice {
  std::vector<bool> joints = {}; // by joint, whether its weights are replaced; empty: all
  float mix = 1.0f;              // share of the new weights, 0 to 1

  bool has(std::uint32_t joint) const {
    return joints.empty() || (joint < joints.size() && joints[joint]);
  }
};

// A chosen joint gets `mix` of its new weight and the rest of its own one. The vertex's own other
// weights are scaled to fill what is left. Where it has none, the chosen ones fill all; where those
// are zero too, the vertex keeps its own weights. Both lists sum to 1, and so does the result,
// which is in no order.
std::vector<Influence> combinedWeights(std::span<const Influence> own,
                                       std::span<const Influence> fresh,
                                       const WeightChoice& choice);

} // namespace sinew
