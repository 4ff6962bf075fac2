// Free-form deformation by a lattice of control points (Sederberg and Parry 1986, with polynomials
// of the first degree: trilinear in every cell, as for low-resolution lattices in real time).
// Continuous, but with kinks between cells.
#pragma once

#include "core/bounds.h"
#include "core/transform.h"

#include <glm/common.hpp>
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
inline Lattice makeLattice(const Bounds& box, const glm::uvec3& segments) {
  Lattice lattice{box, segments, {}};
  for (std::uint32_t z = 0; z <= segments.z; ++z)
    for (std::uint32_t y = 0; y <= segments.y; ++y)
      for (std::uint32_t x = 0; x <= segments.x; ++x)
        lattice.points.push_back(box.min + box.extent() * vec3(x, y, z) / vec3(segments));
  return lattice;
}

// Deforms a point of the undeformed space; outside the box the outermost cells are extrapolated.
inline vec3 deform(const Lattice& lattice, const vec3& point) {
  const vec3 place = (point - lattice.box.min) / lattice.box.extent() * vec3(lattice.segments);
  const vec3 cell = glm::clamp(glm::floor(place), vec3(0.0f), vec3(lattice.segments) - 1.0f);
  const vec3 share = place - cell;
  vec3 out(0.0f);
  for (std::uint32_t corner = 0; corner < 8; ++corner) {
    const glm::uvec3 step(corner & 1u, (corner >> 1u) & 1u, (corner >> 2u) & 1u);
    const vec3 weights = glm::mix(1.0f - share, share, vec3(step));
    out +=
        weights.x * weights.y * weights.z * lattice.points[lattice.index(glm::uvec3(cell) + step)];
  }
  return out;
}

} // namespace sinew
