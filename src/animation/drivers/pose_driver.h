// Pose drivers: local transforms of joints and weights of morph targets that follow from the local
// rotations of other joints. They come last, over clip, layers, inverse kinematics and a pose made
// by hand, so that helper joints and corrective shapes are right in poses that nobody has made
// before. What a driver makes replaces what the pose had.
//
// Rotations are those of a joint from its rest rotation, in the joint's own axes at rest: local
// rotation = rest * rotation. Neutral is what a driven joint or morph target has at rest.
#pragma once

#include "animation/drivers/driver_math.h"
#include "animation/pose.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew {

// A rotation that a driver reads, as a whole or its part about an axis.
struct DriverInput {
  std::string joint;
  RotationPart part = RotationPart::whole;
  vec3 axis{0.0f, 1.0f, 0.0f}; // unit, the joint's own axes

  bool operator==(const DriverInput&) const = default;
};

// Rotations, and what is to be there.
struct DriverKey {
  std::string name;
  std::vector<quat> rotations;   // one per input, local: as the pose has them
  std::vector<Transform> joints; // one per PoseDriver::joints, local
  std::vector<float> morphs;     // one per PoseDriver::morphs

  bool operator==(const DriverKey&) const = default;
};

// Between keys, by radial basis functions (driver_math.h). No weight is below 0, so nothing
// overshoots the keys; where weights sum to less than 1, the rest is neutral. The rest pose is a
// neutral key of its own unless a key has its rotations.
struct RbfDriver {
  std::vector<DriverInput> inputs;
  RbfShape shape;
  std::vector<DriverKey> keys;

  bool operator==(const RbfDriver&) const = default;
};

// Polynomials without a constant term in the rotation vectors of the inputs, so that rest stays
// neutral. Each driven joint is nine of them: translation and rotation vector from its neutral
// transform, in its parent's and its own axes, and the change of its scale; each driven morph
// target one, the change of its weight.
struct PolynomialDriver {
  std::vector<DriverInput> inputs;
  int degree = 2; // 1 to 3
  // Per polynomial one number per monomial of the inputs' rotation vectors (driver_math.h).
  std::vector<std::vector<float>> coefficients;

  bool operator==(const PolynomialDriver&) const = default;
};

// Driven joints turn by a share of the input's rotation, as seen in model space at rest:
//   local rotation = rest * power(W^-1 S r S^-1 W, share)
// r the input's part; S and W the rest rotations of input and driven joint in model space. Where
// the parents of both are turned alike this is roll (twist) and rotation (whole) of
// VRMC_node_constraint 1.0. A driven morph target has that share of the angle in half turns.
struct ShareDriver {
  DriverInput input{{}, RotationPart::twist};
  float share = 0.5f;

  bool operator==(const ShareDriver&) const = default;
};

struct PoseDriver {
  std::string name;
  bool on = true;
  std::vector<std::string> joints; // driven
  std::vector<std::string> morphs; // driven, by label (morphLabels())
  std::variant<RbfDriver, PolynomialDriver, ShareDriver> kind;

  bool operator==(const PoseDriver&) const = default;
};

// In the order in which they act: a driver may read a joint that one before it drives.
using PoseDrivers = std::vector<PoseDriver>;

// "rbf", "polynomial", "twist", "swing" or "rotation".
std::string_view kindWord(const PoseDriver& driver);

// All rotations that a driver reads; one for a share.
std::span<const DriverInput> getInputs(const PoseDriver& driver);

// Why names, axes or numbers of things do not fit the model; empty: they do.
std::string problemOfParts(const Model& model, const PoseDriver& driver);

// A key that makes the pose's driven joints and morph targets as they are where its inputs are as
// they are.
DriverKey keyFromPose(const Model& model, const PoseDriver& driver, const Pose& pose);

} // namespace sinew
