#include "core/random.h"
#include "demo/demo.h"
#include "weights/bind_model.h"
#include "weights/surface.h"
#include "weights/triangle_tree.h"
#include "weights/visibility.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

namespace sinew {
namespace {

TEST_CASE("triangle tree: rays and closest points are Embree's") {
  const JoinedMeshes mesh = joinMeshes(meshesAlone(findDemo("humanoid").make()));
  const WeightSurface surface = makeWeightSurface(mesh.positions, mesh.triangles);
  const SurfaceRays embree(surface);
  const TriangleTree tree(surface.positions, surface.triangles);
  const Bounds box = computeBounds(surface.positions);
  Random random(7);
  const auto point = [&] {
    return box.min - 0.1f * box.extent() +
           1.2f * box.extent() * vec3{random.uniform(), random.uniform(), random.uniform()};
  };
  const float skin = 1e-5f * surface.size;
  int blocked = 0, unlike = 0;
  constexpr int kTries = 3000;
  for (int i = 0; i < kTries; ++i) {
    const vec3 from = point(), to = point();
    const float share = skin / glm::length(to - from);
    const bool meets = tree.meets(from, to - from, share, 1.0f - share);
    blocked += meets ? 1 : 0;
    unlike += meets != embree.blocked(from, to) ? 1 : 0;
    const TreePoint found = tree.nearest(from);
    const Triangle& t = surface.triangles[found.triangle];
    const vec3 at = found.corners.x * surface.positions[t[0]] +
                    found.corners.y * surface.positions[t[1]] +
                    found.corners.z * surface.positions[t[2]];
    CHECK(glm::distance(at, from) ==
          doctest::Approx(glm::distance(embree.nearest(from).position, from)).epsilon(1e-5));
  }
  CHECK(blocked > kTries / 20);
  CHECK(unlike <= 2); // rays along an edge of the outline
}

} // namespace
} // namespace sinew
