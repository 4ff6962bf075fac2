// The weights of places for given bones in given poses (Le and Deng 2012, section 4.2).
#pragma once

#include "bake/bake_problem.h"

#include <span>

namespace sinew {

// Per place the weights, at most `limit`, that bring it nearest to its target: of the joints it may
// follow and of the helpers of those that bend it. What the poses leave open stays near the
// model's own weights, and a place keeps weights that are exact already.
void solveWeights(BakeProblem& problem, const BakeShapes& shapes,
                  std::span<const std::uint32_t> places, std::uint32_t limit);

// Distance of linear blending from the target, per place and pose [place * poses + pose], as shares
// of the model's size.
std::vector<float> computeErrors(const BakeProblem& problem, const BakeShapes& shapes);

} // namespace sinew
