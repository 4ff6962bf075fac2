#include "demo/demo.h"
#include "picture/ghosts.h"

#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("ghosts: as many before as after, wrapped by loops, left out beyond the ends without") {
  Settings settings;
  settings.clip = "walk";
  Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
  CHECK(makeGhosts(workbench, settings).empty());
  settings.ghosts = 3;
  settings.ghostStep = 0.1f;
  evaluate(workbench, 0.15, Wrap::loop);
  const std::vector<Ghost> all = makeGhosts(workbench, settings);
  REQUIRE(all.size() == 6);
  CHECK(all.front().step == -3);
  CHECK(all.front().seconds == doctest::Approx(-0.15));
  CHECK(all.back().step == 1);
  CHECK(all.back().seconds == doctest::Approx(0.25));
  settings.loop = false;
  CHECK(makeGhosts(workbench, settings).size() == 4);
  for (const Ghost& ghost : all) {
    CHECK(ghostColor(ghost, 3).w > 0.0f);
    CHECK(ghostColor(ghost, 3).w <= ghostColor({0.0, 1}, 3).w);
  }
  // An edited pose is shown in the place of the clip: its ghosts are the clip's.
  holdPose(workbench, workbench.pose);
  settings.loop = true;
  CHECK(makeGhosts(workbench, settings).size() == 6);
  settings.clip = "none";
  CHECK(makeGhosts(workbench, settings).empty());
}

TEST_CASE("ghosts: velocities move their skin as that of the shown moment") {
  Settings settings;
  settings.methods = parseMethods("lbs,arc-spline");
  settings.clip = "walk";
  settings.drag = 0.4f;
  settings.squash = 0.1f;
  Workbench workbench = makeWorkbench(findDemo("humanoid").make(), settings);
  const Workbench before = workbench;
  GhostPose ghost(before, settings);
  for (const double seconds : {0.1, 0.35}) {
    evaluate(workbench, seconds, Wrap::loop);
    for (std::size_t m = 0; m < workbench.bound.size(); ++m)
      CHECK(ghost.pack({seconds, 1}, m).rows == workbench.bound[m].palette.rows);
  }
}

} // namespace sinew
