#include "demo/demo.h"
#include "viewer/session.h"
#include "viewer/state.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

// A character without the window, as it was opened.
struct Opened {
  Viewer viewer;

  Opened() {
    viewer.loaded.model = "demo:humanoid";
    viewer.bench = makeWorkbench(findDemo("humanoid").make(), viewer.settings, {}, {});
  }
  void addLayer() {
    viewer.edit.history.live().movement.layers.emplace_back();
    commitEdit(viewer, "Add a layer");
  }
  std::vector<std::string> unsaved() const {
    std::vector<std::string> all;
    for (const UnsavedWork& work : unsavedWork(viewer))
      all.push_back(work.what);
    return all;
  }
};

} // namespace

TEST_CASE("unsaved: what was changed and is in no file, no more and no less") {
  Opened opened;
  Viewer& viewer = opened.viewer;
  CHECK(opened.unsaved().empty());
  opened.addLayer();
  CHECK(opened.unsaved() == std::vector<std::string>{"the layers"});
  viewer.edit.saved.movement = viewer.edit.history.now().movement;
  CHECK(opened.unsaved().empty());
  opened.addLayer();
  viewer.ragdoll.changed = true;
  CHECK(opened.unsaved() == std::vector<std::string>{"the layers", "the ragdoll's set-up"});
  viewer.ragdoll.changed = false;
  undoEdit(viewer); // to what the file has
  CHECK(opened.unsaved().empty());
  undoEdit(viewer); // to what was opened
  CHECK(opened.unsaved().empty());
  viewer.edit.history.live().pose = viewer.bench.pose;
  commitEdit(viewer, "Turn");
  CHECK(opened.unsaved().empty());
}

TEST_CASE("unsaved: it is asked about once, and what was to be done waits for the answer") {
  Opened opened;
  Viewer& viewer = opened.viewer;
  int left = 0;
  const auto leave = [&] { leaveWork(viewer, "Open a.glb", [&left](Viewer&) { ++left; }); };
  leave();
  CHECK(left == 1);
  opened.addLayer();
  leave();
  CHECK(left == 1);
  CHECK(viewer.ui.leave.asked);
  stay(viewer);
  CHECK_FALSE(viewer.ui.leave.asked);
  leave();
  leaveUnsaved(viewer);
  CHECK(left == 2);
  CHECK_FALSE(viewer.ui.leave.asked);
}

TEST_CASE("unsaved: quitting a second time means it, after another question it does not") {
  Opened opened;
  Viewer& viewer = opened.viewer;
  opened.addLayer();
  leaveWork(viewer, "Open a.glb", [](Viewer&) {});
  askToQuit(viewer);
  CHECK_FALSE(viewer.quit);
  CHECK(viewer.ui.leave.doing == "Quit");
  askToQuit(viewer);
  CHECK(viewer.quit);
  Opened other;
  askToQuit(other.viewer);
  CHECK(other.viewer.quit);
}

} // namespace sinew
