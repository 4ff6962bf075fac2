// The mathematics of pose drivers: parts of rotations, radial basis functions between keys of
// rotations (how much of each key there is somewhere), and polynomials.
#pragma once

#include "core/transform.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// How much of a key there is at a distance from it, x = distance / radius:
// gaussian exp(-x^2); thinPlate 1 - x^2 + x^2 ln x^2 up to 1, then 0; linear 1 - x up to 1, then 0.
enum class Falloff { gaussian, thinPlate, linear };

// When weights are divided by their sum.
enum class Normalize { aboveOne, always, never };

struct RbfShape {
  Falloff falloff = Falloff::gaussian;
  Normalize normalize = Normalize::aboveOne;
  float radius = 0.0f;    // radians; 0: the mean distance of a key to the nearest other
  float smoothing = 0.0f; // above 0: keys are only nearly met

  bool operator==(const RbfShape&) const = default;
};

// The root of the mean square of the angles between rotations, radians.
float keyDistance(std::span<const quat> a, std::span<const quat> b);

// The equations solved: w(q) = (Phi + smoothing I)^-1 phi(q).
struct RbfWeights {
  RbfShape shape; // with a radius above 0
  std::size_t rotationCount = 1;
  std::vector<quat> keys;      // rotationCount each
  std::vector<double> inverse; // inverse matrix, column by column
  bool solvable = true;        // false: the keys are too near for this radius

  std::size_t keyCount() const { return keys.size() / rotationCount; }
};

// keys: rotationCount rotations each, at least one.
RbfWeights solveRbf(const RbfShape& shape, std::size_t rotationCount, std::vector<quat> keys);

// One weight per key, none below 0; at a key 1 for that key and 0 for the others, unless smoothed.
// out: keyCount() of them. scratch: resized.
void evaluateRbf(const RbfWeights& rbf, std::span<const quat> rotations,
                 std::vector<double>& scratch, std::span<float> out);

// A rotation, or one of its two parts about an axis: rotation = swing * twist, where the twist is
// about the axis and the swing about an axis perpendicular to it.
enum class RotationPart { whole, swing, twist };

// The rotation and the axis are unit; the axis is unused for the whole. A swing by 180 degrees
// leaves the twist open: then the twist is none.
quat extractPart(const quat& rotation, RotationPart part, const vec3& axis);

// In [0, pi], radians.
float angleBetween(const quat& a, const quat& b);

// Axis times angle in [0, pi], and back from a vector of any length.
vec3 rotationVector(const quat& rotation);
quat fromRotationVector(const vec3& vector);

// Polynomials of several variables without a constant term, fitted by ridge regression. All
// products of one to `degree` of the variables, each as the indices of its factors, rising: {0},
// {1}, {0, 0}, {0, 1}, {1, 1}, ...
std::vector<std::vector<int>> monomials(int variables, int degree);

// The value of each product.
void evaluateMonomials(std::span<const std::vector<int>> products, std::span<const float> variables,
                       std::span<float> out);

// One list of coefficients, as many as products, per output. samples: variables of each sample;
// values: outputs of each sample. ridge: relative to the mean square of the products.
std::vector<std::vector<float>> fitPolynomials(std::span<const std::vector<int>> products,
                                               std::span<const std::vector<float>> samples,
                                               std::span<const std::vector<float>> values,
                                               double ridge);

} // namespace sinew
