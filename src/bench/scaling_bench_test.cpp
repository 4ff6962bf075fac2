#include "bench/scaling_bench.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

TEST_CASE("a tube for scaling has the vertices, joints and influences asked for") {
  for (const TubeScale& scale : {TubeScale{50, 16, 4}, TubeScale{1000, 1000, 12},
                                 TubeScale{10000, 16, 1}, TubeScale{1000, 64, 4, true}}) {
    const Rig rig = buildRig(scalingTube(scale));
    CHECK(rig.joints.size() == scale.joints);
    CHECK(rig.positions.size() >= scale.vertices);
    CHECK(rig.positions.size() <= scale.vertices + 20);
    CHECK(maxInfluences(rig.influences) == scale.influences);
    for (std::size_t v = 0; v < rig.positions.size(); ++v) {
      float sum = 0.0f;
      for (const Influence& influence : rig.influences.of(v))
        sum += influence.weight;
      REQUIRE(std::abs(sum - 1.0f) <= 1e-5f);
    }
  }
}
