// Pose drivers for the helpers and corrective shapes of a bake: their motion and weights from the
// rotations of the joints that they help, so that they are right in poses that were never baked.
#pragma once

#include "animation/drivers/pose_driver.h"
#include "bake/bake.h"

#include <vector>

namespace sinew {

// Of a helper or a corrective shape. Errors are shares of the model's size, the largest in held-out
// poses of the places that it moves, with the helpers and shapes before it driven.
struct HelperDriver {
  PoseDriver driver;   // off where it would make too large an error
  double free = 0.0;   // fitted to each pose by itself
  double driven = 0.0; // as the driver makes it
};

struct HelperDrivers {
  std::vector<HelperDriver> helpers; // of BakeProblem::helpers, one each
  std::vector<HelperDriver> shapes;  // of BakeProblem::morphs, one each
  // Of the poses held out: helpers and shapes as drivers make them; free where those are off.
  BakeError error;
};

// baked: bakedModel() of the result. Of each helper the first of these that fits, by the poses held
// out: a share of the twist, swing or rotation of the joint that it helps; a polynomial of degree 2
// or 3 in the rotation of that joint, or of it and its parent or a child; a radial basis function
// of that joint. No driver that is on makes the largest error of the whole
// grow by more than the tolerance, a share of the model's size; a share by no more than a quarter
// of that where anything else is better.
// Of each corrective shape the radial basis function that fits best, of the joint whose skin it
// corrects, or of it and its parent or a child: at key poses far from each other the values by
// which the fitted poses are met in the least squares. It is on by the same rule.
HelperDrivers helperDrivers(const BakeResult& result, const Model& baked, double tolerance);

// Those of the helpers, then those of the shapes.
PoseDrivers listDrivers(const HelperDrivers& drivers);

} // namespace sinew
