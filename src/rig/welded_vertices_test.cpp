#include "animation/random_model.h"
#include "rig/welded_vertices.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("welding: vertices at one position are one where their weights are nearly the same") {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    Rig rig;
    const vec3 position = randomDirection(random);
    const float weight = random.uniform(0.2f, 0.7f);
    const auto add = [&](float first) {
      rig.positions.push_back(position);
      rig.influences.append(std::vector<Influence>{{0, first}, {3, 1.0f - first}});
    };
    add(weight);
    add(weight + random.uniform(-1.0f, 1.0f) / 255.0f); // rounded by a file
    add(weight + 0.1f);                                 // the lower lip
    add(weight + 0.1f);
    rig.positions.push_back(position);
    rig.influences.append(std::vector<Influence>{{3, 1.0f}});
    CHECK(weldVertices(rig) == std::vector<std::uint32_t>{0, 0, 2, 2, 4});
    CHECK(weldVertices(rig.positions) == std::vector<std::uint32_t>(5, 0));
  }
}

} // namespace sinew
