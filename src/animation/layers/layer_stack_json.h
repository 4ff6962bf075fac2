// A LayerStack as a file.
//
//   {"sinew": "layers", "seconds": 0, "layers": [
//     {"name": "wave", "kind": "clip", "on": true, "weight": 1, "start": 0, "seconds": 0,
//      "fade_in": 0, "fade_out": 0,
//      "mask": [{"joint": "Spine", "branch": true, "weight": 1}, ...],
//      "clip": "Wave", "speed": 1, ...}]}
//
// An omitted field has its default; "kind" is required. A mask's entry may be just the joint's
// name.
#pragma once

#include "animation/layers/layer_stack.h"

#include <string>
#include <string_view>

namespace sinew {

std::string layerStackToJson(const LayerStack& stack);

// Throws inputError with file, layer and key: invalid JSON, an unknown key or kind, a wrong type, a
// value out of range, a clip or joint the model does not have.
LayerStack layerStackFromJson(const Model& model, std::string_view json, std::string_view path);

// Why the layer does not fit the model; empty if it does.
std::string findProblem(const Model& model, const Layer& layer);

} // namespace sinew
