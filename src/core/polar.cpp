#include "core/polar.h"

#include "core/perpendicular.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

using glm::dmat3;
using glm::dvec3;

bool isRotation(const mat3& m) {
  const float tolerance = 2e-5f; // of squared lengths
  for (int i = 0; i < 3; ++i) {
    const vec3& next = m[(i + 1) % 3];
    if (!(std::abs(glm::dot(m[i], m[i]) - 1.0f) <= tolerance &&
          std::abs(glm::dot(m[i], next)) <= tolerance))
      return false;
  }
  return glm::determinant(m) > 0.0f;
}

// Rotates the plane (p, q) of both so that a[p][q] becomes zero (Jacobi rotation).
void annihilate(dmat3& a, dmat3& vectors, int p, int q) {
  if (a[p][q] == 0.0) return;
  const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1.0 / std::hypot(t, 1.0);
  const double s = t * c;
  dmat3 jacobi(1.0);
  jacobi[p][p] = jacobi[q][q] = c;
  jacobi[q][p] = s;
  jacobi[p][q] = -s;
  a = glm::transpose(jacobi) * a * jacobi;
  vectors = vectors * jacobi;
}

// Orthonormal eigenvectors of a symmetric matrix, by falling eigenvalue.
dmat3 eigenvectors(dmat3 a) {
  dmat3 vectors(1.0);
  for (int sweep = 0; sweep < 16; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q)
        annihilate(a, vectors, p, q);
  std::array order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return a[i][i] > a[j][j]; });
  return {vectors[order[0]], vectors[order[1]], vectors[order[2]]};
}

} // namespace

// The two directions that m stretches most are mapped first, the third follows from them.
dmat3 nearestRotation(const dmat3& m) {
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
