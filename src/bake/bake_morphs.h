// Corrective shapes for what linear blending with helpers leaves of a target: morph targets b_k and
// their weights s_k in every pose f for which
//   sum_f sum_i |r_i^f - A_i^f sum_k s_k^f b_ki|^2
// is least; r is the distance that is left, A the linear part of a place's blended matrix, which
// brings an offset of bind space into the pose. These are the principal shapes of r, each of the
// skin that one joint bends, so that they are small and their weights depend on little.
#pragma once

#include "bake/bake.h"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace sinew {

// The skin that a joint bends.
struct BakeMorphRegion {
  std::uint32_t node = 0;
  std::vector<std::uint32_t> places; // ascending
};

// Adds shapes, one after another where most is left, at most `limit`; one by which mean or largest
// error of the poses held out would grow is left out, and its region has no more. The helpers of
// both shapes are fitted; `error` is that of heldOut, and is updated. Returns a step for each
// shape.
std::vector<BakeStep> addMorphs(BakeProblem& problem, BakeShapes& fitted, BakeShapes& heldOut,
                                std::vector<BakeMorphRegion> regions, std::uint32_t limit,
                                BakeError& error);

// The weights of problem.morphs in every pose, each independent of the others, by least squares; in
// [0, 1], to which programs may clamp them.
// BakeShapes::moved is that of the model's own morph targets before, and with these after it.
void fitMorphWeights(const BakeProblem& problem, BakeShapes& shapes);

// Changes the weight of one shape in one pose; the shapes have weights already.
void setMorphWeight(const BakeProblem& problem, BakeShapes& shapes, std::size_t pose,
                    std::size_t morph, float weight);

// The w in [0, 1] of least w^T squares w - 2 right^T w; squares: symmetric, none of its eigenvalues
// below 0.
Eigen::VectorXd solveInUnitBox(Eigen::MatrixXd squares, const Eigen::VectorXd& right);

} // namespace sinew
