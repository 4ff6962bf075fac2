#include "demo/models.h"
#include "demo/rigging.h"
#include "rig/subdivide.h"
#include "tools/figures/bones_blending/split_alone.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <cmath>
#include <set>

using namespace sinew;

TEST_CASE("split alone: a T-vertex for each edge between divided and whole triangles") {
  const Model arm = makeArm();
  const Mesh& mesh = arm.meshes[0];
  const Rig rig = buildRig(arm);
  const std::vector<std::uint32_t> listed = trianglesOfJoint(rig, jointNamed(arm, "LowerArm"));
  const SplitAlone split = splitAlone(mesh, listed);
  CHECK(split.mesh.triangles.size() == mesh.triangles.size() + 3 * listed.size());
  // The forearm is a tube of 28 segments: it ends at two rims.
  CHECK(split.tVertices.size() == 2 * 28);
  CHECK(countTVertices(split.mesh.positions, split.mesh.triangles) == split.tVertices.size());
  for (const auto& [a, b, middle] : split.tVertices) {
    const vec3 mean = 0.5f * (mesh.positions[a] + mesh.positions[b]);
    CHECK(glm::distance(split.mesh.positions[middle], mean) < 1e-6f);
  }
  CHECK(widestCrack(split.tVertices, split.mesh.positions) < 1e-6f);
  std::vector<vec3> moved = split.mesh.positions;
  moved[split.tVertices[5].middle] += vec3(0, 0, 7);
  CHECK(widestCrack(split.tVertices, moved) > 6.9f);
  CHECK(widestCrack({}, moved) == 0.0f);

  const Mesh right = subdivide(mesh, listed, Subdivision::midpoints);
  CHECK(countTVertices(right.positions, right.triangles) == 0);
}

TEST_CASE("slenderness: 2 for an equilateral triangle, more for any other") {
  CHECK(slenderness({0, 0, 0}, {1, 0, 0}, {0.5f, std::sqrt(0.75f), 0}) == doctest::Approx(2.0));
  // Sides 3, 4, 5: radii 2.5 and 1.
  CHECK(slenderness({0, 0, 0}, {3, 0, 0}, {0, 4, 0}) == doctest::Approx(2.5));
  CHECK(slenderness({0, 0, 0}, {1, 0, 0}, {0.5f, 0.01f, 0}) > 50.0);
  CHECK(std::isinf(slenderness({0, 0, 0}, {1, 0, 0}, {2, 0, 0})));
}
