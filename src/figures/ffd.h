// Free-form deformation: space inside a lattice of control points, carried along as they move
// (Sederberg and Parry 1986, with polynomials of the first degree: trilinear in every cell, as a
// low-resolution lattice is used in real time). Continuous, but bent sharply where cells meet.
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

// Where the lattice's points take a point of its undeformed space; outside the box the outermost
// cells go on.
vec3 deform(const Lattice& lattice, const vec3& point);

} // namespace sinew
