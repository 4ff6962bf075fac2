// A Movement as a file.
//
//   {"sinew": "movement", "seconds": 0, "layers": [
//     {"name": "wave", "kind": "clip", "on": true, "weight": 1, "start": 0, "seconds": 0,
//      "fade_in": 0, "fade_out": 0,
//      "mask": [{"joint": "Spine", "branch": true, "weight": 1}, ...],
//      "clip": "Wave", "speed": 1, ...}]}
//
// What is left out has its default; "kind" never is. A mask's entry may be the joint's name alone.
#pragma once

#include "animation/movement.h"

#include <string>
#include <string_view>

namespace sinew {

std::string movementToJson(const Movement& movement);

// Throws inputError, one line that names file, layer and key: bad JSON, an unknown key or kind, a
// wrong type, a value out of range, a clip or joint the model does not have.
Movement movementFromJson(const Model& model, std::string_view json, std::string_view path);

// What is wrong with the first layer that does not suit the model; empty if all do.
std::string problemOf(const Model& model, const Layer& layer);

} // namespace sinew
