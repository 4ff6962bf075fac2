#include "core/random.h"
#include "tools/figures/arc_spline/ffd.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

using namespace sinew;

namespace {

vec3 somewhere(Random& random, float reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach),
          random.uniform(-reach, reach)};
}

} // namespace

TEST_CASE("lattice: undeformed it leaves space as it is; an affine map of it is exact") {
  Random random(1);
  Lattice lattice = makeLattice({vec3(-1, -2, -3), vec3(4, 2, 1)}, {7, 2, 3});
  CHECK(lattice.points.size() == 8 * 3 * 4);
  for (int i = 0; i < 200; ++i) {
    const vec3 p = somewhere(random, 3.0f);
    CHECK(glm::distance(deform(lattice, p), p) < 1e-5f);
  }
  const mat4 map(vec4(0.5f, 0.3f, 0, 0), vec4(-0.2f, 1, 0.1f, 0), vec4(0, 0.4f, 2, 0),
                 vec4(3, 1, -1, 1));
  for (vec3& point : lattice.points)
    point = transformPoint(map, point);
  for (int i = 0; i < 200; ++i) {
    const vec3 p = somewhere(random, 3.0f);
    CHECK(glm::distance(deform(lattice, p), transformPoint(map, p)) < 1e-5f);
  }
}

TEST_CASE("lattice: its points are taken where they went, and cells meet without a gap") {
  Random random(2);
  Lattice lattice = makeLattice({vec3(0), vec3(7, 1, 1)}, {7, 1, 1});
  const std::vector<vec3> before = lattice.points;
  for (vec3& point : lattice.points)
    point += somewhere(random, 0.3f);
  for (std::size_t i = 0; i < before.size(); ++i)
    CHECK(glm::distance(deform(lattice, before[i]), lattice.points[i]) < 1e-5f);
  for (int i = 0; i < 100; ++i) {
    const vec3 wall(1.0f + static_cast<float>(random.below(6)), random.uniform(0.0f, 1.0f),
                    random.uniform(0.0f, 1.0f));
    const vec3 step(1e-5f, 0, 0);
    CHECK(glm::distance(deform(lattice, wall - step), deform(lattice, wall + step)) < 1e-3f);
  }
}
