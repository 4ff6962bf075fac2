// Baking: any deformation as linear blending with helper joints, so that every engine plays it as
// it is (smooth skinning decomposition: Le and Deng 2012; helper joints: Mukai 2015). The model's
// own joints keep their motion; weights are new, and helper joints are added where joints bend the
// skin. docs/bake.md tells the whole procedure.
#pragma once

#include "bake/bake_problem.h"
#include "core/progress.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct BakeOptions {
  // Largest number of helpers. None: helpers are added until the tolerance is met, a few together
  // gain little, or there are 80.
  std::optional<std::uint32_t> helpers;
  std::uint32_t influences = 4; // per vertex, 1 to kBakeInfluences
  float tolerance = 0.005f;   // largest error, share of the model's size; a tenth of it in the mean
  std::uint32_t perJoint = 3; // helpers of one joint, at most
  std::uint32_t morphs = 0;   // corrective shapes of what helpers leave, at most (bake_morphs.h)
  bool scale = false;         // helpers may scale, by one factor in all directions
  BakePoseOptions poses;
  Progress progress; // false cancels: throws Cancelled
};

// Distances from the target, as shares of the model's size.
struct BakeError {
  double mean = 0.0;
  double p999 = 0.0; // 99.9 % of all distances are at most this
  double largest = 0.0;
  std::uint32_t vertex = 0; // vertex of the rig with the largest error
  std::uint32_t node = 0;   // the joint that this vertex follows most
  std::string pose;         // the pose with the largest error
};

// The largest is within the tolerance, and the mean within a tenth of it.
bool isWithin(const BakeError& error, double tolerance);

// The error of several parts together.
class ErrorSum {
 public:
  void add(BakeError part, std::size_t distances);
  BakeError result() const;

 private:
  BakeError whole_;
  double sum_ = 0.0, count_ = 0.0;
};

// The error over the poses held out, after so many helpers, then corrective shapes. Neither the
// mean nor the largest error grows from one step to the next.
struct BakeStep {
  std::uint32_t helpers = 0;
  std::string joint; // joint of the last helper; empty without one
  BakeError error;
  std::uint32_t morphs = 0;
};

struct BakeResult {
  BakeProblem problem; // has the helpers and weights
  BakeError linear;    // the model's own weights, the poses held out
  BakeError heldOut;
  std::vector<BakeStep> curve; // begins without helpers; at least one step
  BakeShapes fittedShapes;     // the fitted poses, with helpers fitted freshly
  BakeShapes heldOutShapes;    // the poses held out, with helpers fitted freshly
};

// The first method of the workbench, whose model needs a skin: throws inputError without one. The
// workbench has to outlive the result.
BakeResult bake(const Workbench& workbench, const BakeOptions& options);

// Fits helpers and the weights of corrective shapes in every pose of the shapes, each independent
// of the others: what held-out poses and clips are baked by. The shapes are those of shapesIn().
void fitFreshly(const BakeProblem& problem, BakeShapes& shapes);

// errors: computeErrors(problem, shapes).
BakeError summarize(const BakeProblem& problem, const BakeShapes& shapes,
                    const std::vector<float>& errors);

} // namespace sinew
