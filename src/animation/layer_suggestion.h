// What a new layer begins with: joints that fit its kind, and targets where these joints are now,
// so that adding it changes nothing by itself.
#pragma once

#include "animation/movement.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

// word: one of kindWords(). modelFromNode: F of every node, for targets. selected: a joint the
// layer is to be about; none: the likeliest by the names of its parts (body_parts.h), else by the
// shape of the skeleton. Where the model has no joints that fit, they stay unnamed.
LayerKind suggestedKind(const Model& model, const std::vector<mat4>& modelFromNode,
                        std::string_view word, std::optional<std::uint32_t> selected);

// The two bones that end at a joint: forearm and upper arm of a hand, past twist joints where names
// tell (body_parts.h), else those next above. None where there are not two.
std::optional<TwoBoneChain> bonesAbove(const Model& model, std::uint32_t tip);

} // namespace sinew
