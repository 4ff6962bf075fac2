// Free-form deformation by a lattice of control points (Sederberg and Parry 1986, with polynomials
// of the first degree: trilinear in every cell, as for low-resolution lattices in real time).
// Continuous, but with kinks between cells.
#pragma once

#include "core/bounds.h"
#include "core/transform.h"

#include <glm/vec3.hpp>

#include <vector>

namespace sinew {

// (segments + 1) planes of points along each axis, x fastest.
struct Lattice {
  Bounds box;
  glm::uvec3 segments{1};
  std::vector<vec3> points;

  std::size_t index(const glm::uvec3& corner) const {
    return corner.x + (segments.x + 1) * (corner.y + std::size_t{segments.y + 1} * corner.z);
  }
};

// Undeformed. The box must have a volume.
Lattice makeLattice(const Bounds& box, const glm::uvec3& segments);

// Deforms a point of the undeformed space; outside the box the outermost cells are extrapolated.
vec3 deform(const Lattice& lattice, const vec3& point);

} // namespace sinew
