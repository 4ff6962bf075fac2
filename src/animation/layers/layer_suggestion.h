// Default fields of a new layer: joints that fit its kind, and targets at the current positions of
// these joints, so that adding it does not change the pose.
#pragma once

#include "animation/layers/layer_stack.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

// word: one of kindWords(). modelFromNode: F of every node, for targets. selected: the joint the
// layer acts on; none: chosen by body part names (bodyPart()), else by the shape of the skeleton.
// Where no joints of the model fit, their names stay empty.
LayerKind suggestedKind(const Model& model, const std::vector<mat4>& modelFromNode,
                        std::string_view word, std::optional<std::uint32_t> selected);

// The two bones that end at a joint: forearm and upper arm of a hand, skipping twist joints if
// names identify the parts (bodyPart()), else the next two above. None where there are fewer than
// two.
std::optional<TwoBoneChain> bonesAbove(const Model& model, std::uint32_t tip);

} // namespace sinew
