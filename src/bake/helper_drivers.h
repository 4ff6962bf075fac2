// Pose drivers for the helpers and corrective shapes of a bake: their motion and weights from the
// rotations of the joints that they help, so that they are right in poses that were never baked.
#pragma once

#include "animation/drivers/pose_driver.h"
#include "bake/baked_model.h"

#include <optional>
#include <vector>

namespace sinew {

// The driver of a helper or a corrective shape. Errors are shares of the model's size: the largest
// in the poses by which it is judged, over the places that it moves, with the helpers and shapes
// before it driven.
struct HelperDriver {
  PoseDriver driver;   // off where it would make too large an error
  double free = 0.0;   // error when fitted to each pose by itself
  double driven = 0.0; // error by the driver
};

struct HelperDrivers {
  std::vector<HelperDriver> helpers; // one for each of BakeProblem::helpers
  std::vector<HelperDriver> shapes;  // one for each of BakeProblem::morphs
  // Over the poses held out: helpers and shapes as drivers make them; free where drivers are off.
  BakeError error;
  std::optional<BakeError> clips; // the same over moments of the clips, if there are any
};

// baked: bakedModel() of the result. Drivers are judged by the poses held out, and by moments of
// the baked clips, which they play in sinew. A helper gets the first of these that fits: a share of
// the twist, swing or rotation of the joint that it helps; a polynomial of degree 2 or 3 in the
// rotation of that joint, or of it and its parent or a child; a radial basis function of that
// joint. No driver that is on makes the largest error of the poses held out, or of the clips, grow
// by more than the tolerance, a share of the model's size; a driver that is a share, by no more
// than a quarter of that where anything else is better. A corrective shape gets the radial basis
// function that fits best, of the joint whose skin it corrects, or of it and its parent or a child.
// Its keys are poses far from each other; their values fit the fitted poses in the least squares.
// It is on by the same rule.
HelperDrivers helperDrivers(const BakeResult& result, const BakedClips& baked, double tolerance);

// The drivers of the helpers, then those of the shapes.
PoseDrivers listDrivers(const HelperDrivers& drivers);

} // namespace sinew
