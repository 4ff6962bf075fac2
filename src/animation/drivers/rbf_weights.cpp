#include "animation/drivers/rbf_weights.h"

#include "animation/drivers/rotation_part.h"

#include <Eigen/LU>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

double falloffAt(const RbfShape& shape, float distance) {
  const double x = static_cast<double>(distance) / static_cast<double>(shape.radius);
  const double square = x * x;
  if (shape.falloff == Falloff::gaussian) return std::exp(-square);
  if (x >= 1.0) return 0.0;
  if (shape.falloff == Falloff::linear) return 1.0 - x;
  return square > 0.0 ? 1.0 - square + square * std::log(square) : 1.0;
}

std::span<const quat> getKey(const RbfWeights& rbf, std::size_t key) {
  return std::span(rbf.keys).subspan(key * rbf.rotationCount, rbf.rotationCount);
}

// At most keyDistance(), without an arc tangent: an angle is at least twice the sine of its half.
float leastDistance(std::span<const quat> a, std::span<const quat> b) {
  float squares = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float cosine = glm::dot(a[i], b[i]);
    squares += 4.0f * (1.0f - cosine * cosine);
  }
  return std::sqrt(std::max(squares, 0.0f) /
                   static_cast<float>(std::max<std::size_t>(a.size(), 1)));
}

// One key alone has no other: then half a turn is between all and nothing.
float meanNearestDistance(const RbfWeights& rbf) {
  const std::size_t count = rbf.keyCount();
  if (count < 2) return 1.5707964f;
  float sum = 0.0f;
  for (std::size_t i = 0; i < count; ++i) {
    float nearest = std::numeric_limits<float>::max();
    for (std::size_t k = 0; k < count; ++k)
      if (k != i) nearest = std::min(nearest, keyDistance(getKey(rbf, i), getKey(rbf, k)));
    sum += nearest;
  }
  return std::max(sum / static_cast<float>(count), 1e-3f);
}

} // namespace

float keyDistance(std::span<const quat> a, std::span<const quat> b) {
  float squares = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float angle = angleBetween(a[i], b[i]);
    squares += angle * angle;
  }
  return std::sqrt(squares / static_cast<float>(std::max<std::size_t>(a.size(), 1)));
}

RbfWeights solveRbf(const RbfShape& shape, std::size_t rotationCount, std::vector<quat> keys) {
  RbfWeights rbf{shape, rotationCount, std::move(keys), {}, true};
  if (!(rbf.shape.radius > 0.0f)) rbf.shape.radius = meanNearestDistance(rbf);
  const auto count = static_cast<Eigen::Index>(rbf.keyCount());
  Eigen::MatrixXd phi(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index k = 0; k < count; ++k) {
      const float distance = keyDistance(getKey(rbf, static_cast<std::size_t>(i)),
                                         getKey(rbf, static_cast<std::size_t>(k)));
      phi(i, k) = falloffAt(rbf.shape, distance);
    }
  phi.diagonal().array() += static_cast<double>(shape.smoothing);
  const Eigen::FullPivLU<Eigen::MatrixXd> solver(phi);
  // Beyond this the weights at a key would no longer be 1 and 0.
  rbf.solvable = solver.isInvertible() && solver.rcond() > 1e-9;
  const Eigen::MatrixXd inverse = solver.inverse();
  rbf.inverse.assign(inverse.data(), inverse.data() + inverse.size());
  return rbf;
}

void evaluateRbf(const RbfWeights& rbf, std::span<const quat> rotations,
                 std::vector<double>& scratch, std::span<float> out) {
  const std::size_t count = rbf.keyCount();
  const bool ends = rbf.shape.falloff != Falloff::gaussian;
  scratch.assign(count, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<const quat> key = getKey(rbf, k);
    if (ends && leastDistance(key, rotations) > 1.001f * rbf.shape.radius) continue;
    const double falloff = falloffAt(rbf.shape, keyDistance(key, rotations));
    const double* column = rbf.inverse.data() + k * count;
    for (std::size_t i = 0; i < count; ++i)
      scratch[i] += falloff * column[i];
  }
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(std::max(0.0, scratch[i]));
  const float sum = std::accumulate(out.begin(), out.end(), 0.0f);
  const bool divide = rbf.shape.normalize == Normalize::always ||
                      (rbf.shape.normalize == Normalize::aboveOne && sum > 1.0f);
  // So far from all keys that no weight means anything, there is none.
  if (!divide || sum < 1e-6f) return;
  for (float& weight : out)
    weight /= sum;
}

} // namespace sinew
