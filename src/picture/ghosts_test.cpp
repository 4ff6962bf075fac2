#include "demo/demo.h"
#include "picture/ghosts.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("ghosts: as many before as after, wrapped by loops, left out beyond the ends without") {
  Settings settings;
  settings.clip = "walk";
  Workbench bench = makeWorkbench(findDemo("humanoid").make(), settings);
  CHECK(ghostsOf(bench, settings).empty());
  settings.ghosts = 3;
  settings.ghostStep = 0.1f;
  evaluate(bench, 0.15, Wrap::loop);
  const std::vector<Ghost> all = ghostsOf(bench, settings);
  REQUIRE(all.size() == 6);
  CHECK(all.front().step == -3);
  CHECK(all.front().seconds == doctest::Approx(-0.15));
  CHECK(all.back().step == 1);
  CHECK(all.back().seconds == doctest::Approx(0.25));
  settings.loop = false;
  CHECK(ghostsOf(bench, settings).size() == 4);
  for (const Ghost& ghost : all) {
    CHECK(ghostColor(ghost, 3).w > 0.0f);
    CHECK(ghostColor(ghost, 3).w <= ghostColor({0.0, 1}, 3).w);
  }
  // An edited pose is shown in the place of the clip: its ghosts are the clip's.
  holdPose(bench, bench.pose);
  settings.loop = true;
  CHECK(ghostsOf(bench, settings).size() == 6);
  settings.clip = "none";
  CHECK(ghostsOf(bench, settings).empty());
}

} // namespace sinew
