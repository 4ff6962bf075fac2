// Free splines and their weights as a file:
//
//   {"sinew": "splines",
//    "splines": [{"name": NAME, "parent": NODE, "points": [[x, y, z], [x, y, z], [x, y, z]],
//                 "reach": R}, ...],
//    "weights_of": [NAME, ...], "weights": [[[number of a name, weight], ...] per vertex]}
//
// points: in the bind pose, model space. Weights may sum to less than 1, the rest follows the
// bones; vertices are in the order of `info`. A file without "weights" binds the skin within each
// spline's reach (bindNear()), usualReach() where it gives none.
#pragma once

#include "weights/spline_set.h"

#include <string>
#include <string_view>

namespace sinew {

// model: as read, without the set.
std::string splinesToJson(const Model& model, const SplineSet& set);

// Throws inputError with path and place: invalid JSON, an unknown key, a wrong type, a set that has
// a problem (findProblem()).
SplineSet splinesFromJson(const Model& model, std::string_view text, std::string_view path);

} // namespace sinew
