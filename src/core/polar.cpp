#include "core/polar.h"

#include "core/directions.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dvec3;

bool isRotation(const mat3& m) {
  const float tolerance = 2e-5f; // for squared lengths and dot products
  for (int i = 0; i < 3; ++i) {
    const vec3& next = m[(i + 1) % 3];
    if (!(std::abs(glm::dot(m[i], m[i]) - 1.0f) <= tolerance &&
          std::abs(glm::dot(m[i], next)) <= tolerance))
      return false;
  }
  return glm::determinant(m) > 0.0f;
}

// Rotates the plane (p, q) of both so that a[p][q] becomes zero (Jacobi rotation); r is the third
// axis.
void annihilate(dmat3& a, dmat3& vectors, int p, int q, int r) {
  const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  const double s = t * c;
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  a[p][q] = a[q][p] = 0.0;
  const double ap = a[r][p];
  const double aq = a[r][q];
  a[r][p] = a[p][r] = c * ap - s * aq;
  a[r][q] = a[q][r] = s * ap + c * aq;
  const dvec3 vp = vectors[p];
  vectors[p] = c * vp - s * vectors[q];
  vectors[q] = s * vp + c * vectors[q];
}

// Orthonormal eigenvectors of a symmetric matrix, by falling eigenvalue. Each sweep squares what is
// left beside the diagonal: three or four do for most matrices.
dmat3 eigenvectors(dmat3 a) {
  constexpr int kMaxSweeps = 16;
  dmat3 vectors(1.0);
  bool diagonal = false;
  for (int sweep = 0; sweep < kMaxSweeps && !diagonal; ++sweep) {
    diagonal = true;
    for (int r = 2; r >= 0; --r) {
      const int p = r == 0 ? 1 : 0;
      const int q = r == 2 ? 1 : 2;
      // Beyond what a double of the smaller eigenvalue can hold, it turns nothing.
      if (!(std::abs(a[p][q]) > 1e-17 * std::sqrt(std::abs(a[p][p] * a[q][q])))) continue;
      annihilate(a, vectors, p, q, r);
      diagonal = false;
    }
  }
  std::array order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return a[i][i] > a[j][j]; });
  return {vectors[order[0]], vectors[order[1]], vectors[order[2]]};
}

// By Newton's iteration (Higham 1986, Computing the polar decomposition), which squares the
// distance from a rotation in each step: two steps for one with noise. None where m is a
// reflection or nearly flat.
std::optional<dmat3> iteratedRotation(const dmat3& m) {
  constexpr double kFlat = 0.05; // 1: as long in every direction
  constexpr double kNear = 1e-9; // squared, it is beyond double precision
  constexpr int kMaxSteps = 16;
  const double size =
      std::sqrt((glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2])) / 3.0);
  if (!(glm::determinant(m) > kFlat * size * size * size) || size < 1e-30) return std::nullopt;
  dmat3 x = m / size;
  for (int step = 0; step < kMaxSteps; ++step) {
    dmat3 cofactors;
    for (int i = 0; i < 3; ++i)
      cofactors[i] = glm::cross(x[(i + 1) % 3], x[(i + 2) % 3]);
    const double inverse = 1.0 / glm::dot(x[0], cofactors[0]);
    double change = 0.0;
    for (int i = 0; i < 3; ++i) {
      const dvec3 half = 0.5 * (inverse * cofactors[i] - x[i]);
      x[i] += half;
      change = std::max(change, glm::dot(half, half));
    }
    if (change < kNear * kNear) return x;
  }
  return std::nullopt;
}

} // namespace

// The two directions that m stretches most are mapped first, the third follows from them.
dmat3 nearestRotation(const dmat3& m) {
  if (const auto rotation = iteratedRotation(m)) return *rotation;
  dmat3 from = eigenvectors(glm::transpose(m) * m);
  from[2] = glm::cross(from[0], from[1]);
  const dvec3 first = m * from[0];
  const double length = glm::length(first);
  if (length == 0.0) return dmat3(1.0);
  dmat3 to;
  to[0] = first / length;
  dvec3 second = m * from[1];
  second -= glm::dot(second, to[0]) * to[0];
  const double across = glm::length(second);
  to[1] = across > 1e-7 * length ? second / across : perpendicular(to[0]);
  to[2] = glm::cross(to[0], to[1]);
  return to * glm::transpose(from);
}

RotationStretch polar(const mat3& m) {
  RotationStretch out;
  if (isRotation(m)) {
    out.rotation = glm::normalize(glm::quat_cast(m));
    return out;
  }
  out.stretches = true;
  const dmat3 exact(m);
  const double side = glm::determinant(exact) < 0.0 ? -1.0 : 1.0;
  const dmat3 rotation = nearestRotation(side * exact);
  const dmat3 stretch = glm::transpose(rotation) * exact;
  out.rotation = glm::quat(glm::normalize(glm::quat_cast(rotation)));
  out.stretch = mat3(0.5 * (stretch + glm::transpose(stretch)));
  return out;
}

} // namespace sinew
