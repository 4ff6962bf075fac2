#include "core/bounds.h"
#include "crowd/level_of_detail.h"
#include "demo/demo.h"

#include <doctest/doctest.h>

using namespace sinew;

TEST_CASE("levels of detail have fewer triangles over the same vertices") {
  for (const char* demo : {"humanoid", "arm"}) {
    CAPTURE(demo);
    const Rig rig = buildRig(findDemo(demo).make());
    const std::vector<DetailLevel> levels = detailLevels(rig);
    REQUIRE(!levels.empty());
    std::size_t before = rig.triangles.size();
    float error = 0.0f;
    for (const DetailLevel& level : levels) {
      CHECK(level.triangles.size() < before);
      CHECK(level.error >= error);
      CHECK(level.error <= 0.06f * computeBounds(rig.positions).size());
      before = level.triangles.size();
      error = level.error;
      const Rig coarse = withLevel(rig, level);
      REQUIRE(coarse.meshes.size() == rig.meshes.size());
      std::size_t sum = 0;
      for (std::size_t m = 0; m < rig.meshes.size(); ++m) {
        const RigMesh& mesh = coarse.meshes[m];
        CHECK(mesh.firstTriangle == sum);
        sum += mesh.triangleCount;
        for (std::uint32_t t = 0; t < mesh.triangleCount; ++t)
          for (const std::uint32_t v : coarse.triangles[mesh.firstTriangle + t]) {
            REQUIRE(v >= mesh.firstVertex);
            REQUIRE(v < mesh.firstVertex + mesh.vertexCount);
          }
      }
      CHECK(sum == coarse.triangles.size());
    }
  }
}
