#include "animation/drivers/driver_math.h"

#include "animation/ik/joint_limits.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
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

quat extractPart(const quat& rotation, RotationPart part, const vec3& axis) {
  if (part == RotationPart::whole) return rotation;
  const BendAndTwist parts = bendAndTwist(rotation, axis);
  if (part == RotationPart::swing) return parts.bend;
  return glm::angleAxis(parts.angle, axis);
}

float angleBetween(const quat& a, const quat& b) {
  // By the smaller of sine and cosine, for the larger tells little; that is faster than atan2.
  const quat between = glm::conjugate(a) * b;
  const float sine = glm::length(vec3(between.x, between.y, between.z));
  const float cosine = std::abs(between.w);
  return sine < cosine ? 2.0f * std::asin(sine)
                       : std::numbers::pi_v<float> - 2.0f * std::asin(cosine);
}

vec3 rotationVector(const quat& rotation) {
  const float sign = rotation.w < 0.0f ? -1.0f : 1.0f;
  const vec3 v = sign * vec3(rotation.x, rotation.y, rotation.z);
  const float sine = glm::length(v);
  if (sine < 1e-7f) return 2.0f * v;
  return v * (2.0f * std::atan2(sine, std::abs(rotation.w)) / sine);
}

quat fromRotationVector(const vec3& vector) {
  const float angle = glm::length(vector);
  const float half = 0.5f * angle;
  const vec3 v = angle < 1e-6f ? 0.5f * vector : vector * (std::sin(half) / angle);
  return glm::normalize(quat(std::cos(half), v.x, v.y, v.z));
}

std::vector<std::vector<int>> monomials(int variables, int degree) {
  std::vector<std::vector<int>> out;
  std::vector<std::vector<int>> last{{}};
  for (int d = 1; d <= degree; ++d) {
    std::vector<std::vector<int>> next;
    for (const std::vector<int>& shorter : last)
      for (int v = shorter.empty() ? 0 : shorter.back(); v < variables; ++v) {
        next.push_back(shorter);
        next.back().push_back(v);
      }
    out.insert(out.end(), next.begin(), next.end());
    last = std::move(next);
  }
  return out;
}

void evaluateMonomials(std::span<const std::vector<int>> products, std::span<const float> variables,
                       std::span<float> out) {
  for (std::size_t i = 0; i < products.size(); ++i) {
    out[i] = 1.0f;
    for (const int factor : products[i])
      out[i] *= variables[static_cast<std::size_t>(factor)];
  }
}

std::vector<std::vector<float>> fitPolynomials(std::span<const std::vector<int>> products,
                                               std::span<const std::vector<float>> samples,
                                               std::span<const std::vector<float>> values,
                                               double ridge) {
  const std::size_t outputs = values.empty() ? 0 : values.front().size();
  const auto size = static_cast<Eigen::Index>(products.size());
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(outputs));
  std::vector<float> row(products.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    evaluateMonomials(products, samples[s], row);
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXf>(row.data(), size).cast<double>();
    const Eigen::VectorXd y =
        Eigen::Map<const Eigen::VectorXf>(values[s].data(), static_cast<Eigen::Index>(outputs))
            .cast<double>();
    squares.selfadjointView<Eigen::Lower>().rankUpdate(x);
    right.noalias() += x * y.transpose();
  }
  const double mean = size > 0 ? squares.trace() / static_cast<double>(size) : 0.0;
  // Products that no sample moves have coefficient 0.
  squares.diagonal().array() += ridge * mean + 1e-30;
  const Eigen::MatrixXd solved = squares.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  std::vector<std::vector<float>> out(outputs, std::vector<float>(products.size()));
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t i = 0; i < products.size(); ++i)
      out[o][i] =
          static_cast<float>(solved(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(o)));
  return out;
}

} // namespace sinew
