#include "app/vertex_colors.h"
#include "demo/demo.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>

namespace sinew {

TEST_CASE("bone colours: joints differ, a vertex of one joint has its colour, weights mix them") {
  for (std::uint32_t i = 0; i < 200; ++i)
    for (int c = 0; c < 3; ++c) {
      CHECK(boneColor(i)[c] >= 0.0f);
      CHECK(boneColor(i)[c] <= 1.0f);
    }
  for (std::uint32_t i = 0; i < 60; ++i)
    for (std::uint32_t j = i + 1; j < i + 8; ++j)
      CHECK(glm::distance(boneColor(i), boneColor(j)) > 0.12f);
  const Rig rig = buildRig(findDemo("humanoid").make());
  const std::vector<vec3> colors = boneColors(rig);
  REQUIRE(colors.size() == rig.positions.size());
  std::size_t mixed = 0;
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const auto influences = rig.influences.of(v);
    vec3 low(1.0f), high(0.0f);
    for (const Influence& influence : influences) {
      low = glm::min(low, boneColor(rig.joints[influence.joint].node));
      high = glm::max(high, boneColor(rig.joints[influence.joint].node));
    }
    for (int c = 0; c < 3; ++c) {
      CHECK(colors[v][c] >= low[c] - 1e-5f);
      CHECK(colors[v][c] <= high[c] + 1e-5f);
    }
    if (influences.size() == 1)
      CHECK(glm::distance(colors[v], boneColor(rig.joints[influences[0].joint].node)) < 1e-5f);
    mixed += influences.size() > 1 ? 1 : 0;
  }
  CHECK(mixed > 100);
}

} // namespace sinew
