#include "demo/demo.h"
#include "picture/ghosts.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("ghosts: as many before as after, wrapped by loops, left out beyond the ends without") {
  Settings settings;
  settings.clip = "walk";
  Workbench bench = makeWorkbench(findDemo("humanoid").make(), settings);
  CHECK(makeGhosts(bench, settings).empty());
  settings.ghosts = 3;
  settings.ghostStep = 0.1f;
  evaluate(bench, 0.15, Wrap::loop);
  const std::vector<Ghost> all = makeGhosts(bench, settings);
  REQUIRE(all.size() == 6);
  CHECK(all.front().step == -3);
  CHECK(all.front().seconds == doctest::Approx(-0.15));
  CHECK(all.back().step == 1);
  CHECK(all.back().seconds == doctest::Approx(0.25));
  settings.loop = false;
  CHECK(makeGhosts(bench, settings).size() == 4);
  for (const Ghost& ghost : all) {
    CHECK(ghostColor(ghost, 3).w > 0.0f);
    CHECK(ghostColor(ghost, 3).w <= ghostColor({0.0, 1}, 3).w);
  }
  // An edited pose is shown in the place of the clip: its ghosts are the clip's.
  holdPose(bench, bench.pose);
  settings.loop = true;
  CHECK(makeGhosts(bench, settings).size() == 6);
  settings.clip = "none";
  CHECK(makeGhosts(bench, settings).empty());
}

TEST_CASE("ghosts: velocities move their skin as that of the shown moment") {
  Settings settings;
  settings.methods = parseMethods("lbs,arc-spline");
  settings.clip = "walk";
  settings.drag = 0.4f;
  settings.squash = 0.1f;
  Workbench bench = makeWorkbench(findDemo("humanoid").make(), settings);
  const Workbench before = bench;
  GhostPose ghost(before, settings);
  for (const double seconds : {0.1, 0.35}) {
    evaluate(bench, seconds, Wrap::loop);
    for (std::size_t m = 0; m < bench.bound.size(); ++m)
      CHECK(ghost.pack({seconds, 1}, m).rows == bench.bound[m].palette.rows);
  }
}

} // namespace sinew
