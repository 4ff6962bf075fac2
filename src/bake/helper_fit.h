// The transforms of helpers in one pose, for given weights: the rigid motions that bring linear
// blending nearest to the target (Le and Deng 2012, section 4.3, one helper after another).
#pragma once

#include "bake/bake_problem.h"

#include <span>
#include <vector>

namespace sinew {

struct HelperSupport {
  std::uint32_t place = 0;
  std::uint32_t joint = 0; // the rig's joint by whose bind matrix the place follows the helper
  float weight = 0.0f;
};

// The places that follow each helper.
using HelperSupports = std::vector<std::vector<HelperSupport>>;
HelperSupports listSupports(const BakeProblem& problem);

// The rigid motion of the helper by which these places alone come nearest to their targets, each
// counting with the square of its weight. Keeps the local transform where the parent's is singular
// or nothing follows the helper.
void fitToTargets(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                  std::uint32_t helper, std::span<const HelperSupport> places);

// Local transforms of all helpers that a fit is drawn to: weight times the sum of squared distances
// by which the places of a helper would move from there is added to what is minimised.
struct HelperAnchor {
  const std::vector<Transform>* locals = nullptr;
  double weight = 0.0;
};

// One helper after another, that many times, while all else stays. fresh: independent of the
// transforms they have, from fitToTargets().
void fitHelpers(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                std::span<const std::uint32_t> helpers, const HelperSupports& supports,
                std::uint32_t rounds, bool fresh, std::span<const HelperAnchor> anchors = {});

// All helpers in poses that follow each other in time, each drawn weakly to its neighbours.
// before: the helpers in the pose before the first; null: that is fitted freshly.
void fitOverTime(const BakeProblem& problem, BakeShapes& shapes,
                 const std::vector<Transform>* before);

// Where in its bones a helper has its node. The skin does not see it: a helper may be anywhere as
// long as its motion takes that along. About the center of its rotations it is only turned.
//
// Moves every helper to the place that its motion leaves nearest to where it is in the first of
// these poses, in the poses of `others` too. Nothing else changes but by rounding.
void centerHelpers(BakeProblem& problem, BakeShapes& shapes, BakeShapes& others);

} // namespace sinew
