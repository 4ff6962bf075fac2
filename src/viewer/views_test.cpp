#include "viewer/actions.h"
#include "viewer/state.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

Viewer viewerOf(const char* methods) {
  Viewer viewer;
  viewer.settings.method = methods;
  viewer.viewport = {100, 50, 602, 400};
  viewer.orbit.framed = {vec3(0.0f), vec3(1.0f)};
  return viewer;
}

void press(Viewer& viewer, const char* key) {
  const std::vector<Action> actions = viewerActions();
  const Action* action = actionOfChord(actions, key);
  REQUIRE(action != nullptr);
  action->run(viewer);
}

} // namespace

TEST_CASE("views: keys add, remove and choose them, and change the active one's method") {
  Viewer viewer = viewerOf("lbs");
  press(viewer, "V");
  CHECK(viewer.settings.method == "lbs,rigid");
  CHECK(activeView(viewer) == 1);
  press(viewer, "3");
  CHECK(viewer.settings.method == "lbs," + methodNames()[2]);
  press(viewer, "PageUp");
  CHECK(activeView(viewer) == 0);
  press(viewer, "PageUp");
  CHECK(activeView(viewer) == 1);
  press(viewer, "Shift+V");
  CHECK(viewer.settings.method == "lbs");
  CHECK(activeView(viewer) == 0);
  press(viewer, "Shift+V"); // the last one stays
  CHECK(viewer.settings.method == "lbs");
  for (int i = 0; i < 10; ++i)
    press(viewer, "V");
  CHECK(viewCount(viewer) == kMostViews);
  CHECK_NOTHROW(checkSettings(viewer.settings));
}

TEST_CASE("views: parameters stay with their view when its method changes") {
  Viewer viewer = viewerOf("lbs,arc-spline:attachments=1");
  viewer.views.active = 1;
  press(viewer, "4");
  CHECK(activeChoice(viewer).method == methodNames()[3]);
  CHECK(activeChoice(viewer).parameters == "attachments=1");
}

TEST_CASE("views: each point of the picture belongs to the view drawn there") {
  Viewer viewer = viewerOf("lbs,dqs");
  const std::vector<Viewport> cells = shownCells(viewer);
  REQUIRE(cells.size() == 2);
  CHECK((cells[0].width == 300 && cells[1].x == 402)); // side by side, two pixels apart
  const auto left = viewPointAt(viewer, {20.0f, 30.0f});
  REQUIRE(left);
  CHECK((left->view == 0 && left->pixel == vec2(20.0f, 30.0f)));
  const auto right = viewPointAt(viewer, {322.0f, 30.0f});
  REQUIRE(right);
  CHECK((right->view == 1 && right->pixel == vec2(20.0f, 30.0f)));
  CHECK(!viewPointAt(viewer, {301.0f, 30.0f})); // between them
  CHECK(!viewPointAt(viewer, {-1.0f, 30.0f}));
  CHECK(!viewPointAt(viewer, {20.0f, 400.0f}));
}

TEST_CASE("views: one alone fills the picture") {
  Viewer viewer = viewerOf("lbs,dqs,rigid");
  viewer.views.active = 2;
  press(viewer, "Enter");
  CHECK(viewer.views.alone);
  const std::vector<Viewport> cells = shownCells(viewer);
  CHECK((cells[0].width == 0 && cells[1].width == 0 && cells[2].width == 602));
  CHECK(viewPointAt(viewer, {10.0f, 10.0f})->view == 2);
  press(viewer, "Enter");
  CHECK(!viewer.views.alone);
  viewer = viewerOf("lbs");
  press(viewer, "Enter"); // nothing to be alone from
  CHECK(!viewer.views.alone);
}

TEST_CASE("views: the difference is from the active view's method, and the weights give way") {
  Viewer viewer = viewerOf("lbs,arc-spline:attachments=1");
  viewer.views.active = 1;
  press(viewer, "D");
  CHECK(viewer.settings.difference == "arc-spline:attachments=1");
  CHECK_NOTHROW(checkSettings(viewer.settings));
  viewer.selected = 0;
  press(viewer, "H");
  CHECK(viewer.heatMap);
  CHECK(viewer.settings.difference == "none");
  press(viewer, "D");
  press(viewer, "D");
  CHECK(viewer.settings.difference == "none");
}

} // namespace sinew
