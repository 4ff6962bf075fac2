// Where in its bones a helper has its node. The skin does not see it: a helper may be anywhere as
// long as its motion takes that along. About the center of its rotations it is only turned.
#pragma once

#include "bake/bake_problem.h"

namespace sinew {

// Moves every helper to the place that its motion leaves nearest to where it is in the first of
// these poses, in the poses of `others` too. Nothing else changes but by rounding.
void centerHelpers(BakeProblem& problem, BakeShapes& shapes, BakeShapes& others);

} // namespace sinew
