#include "editor/document/views.h"
#include "viewer/actions.h"
#include "viewer/state/view_layout.h"
#include "viewer/viewer_state.h"

#include <doctest/doctest.h>

namespace sinew {
namespace {

Viewer makeViewer(const char* methods) {
  Viewer viewer;
  viewer.session.document.settings.methods = parseMethods(methods);
  viewer.ui.viewport = {100, 50, 602, 400};
  viewer.session.document.orbit.framed = Bounds{vec3(0.0f), vec3(1.0f)};
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
  Viewer viewer = makeViewer("lbs");
  press(viewer, "V");
  CHECK(methodsText(viewer.session.document.settings.methods) == "lbs,dqs");
  CHECK(activeView(viewer.session.document) == 1);
  press(viewer, "3");
  CHECK(methodsText(viewer.session.document.settings.methods) == "lbs," + methodNames()[2]);
  press(viewer, "Ctrl+PageUp");
  CHECK(activeView(viewer.session.document) == 0);
  press(viewer, "Ctrl+PageUp");
  CHECK(activeView(viewer.session.document) == 1);
  press(viewer, "Shift+V");
  CHECK(methodsText(viewer.session.document.settings.methods) == "lbs");
  CHECK(activeView(viewer.session.document) == 0);
  press(viewer, "Shift+V"); // the last one stays
  CHECK(methodsText(viewer.session.document.settings.methods) == "lbs");
  for (int i = 0; i < 10; ++i)
    press(viewer, "V");
  CHECK(viewCount(viewer.session.document) == 11); // as many as are asked for
  CHECK_NOTHROW(checkSettings(viewer.session.document.settings));
}

TEST_CASE("views: parameters stay with their view when its method changes") {
  Viewer viewer = makeViewer("lbs,arc-spline:attachments=1");
  viewer.session.document.views.active = 1;
  press(viewer, "4");
  CHECK(activeChoice(viewer.session.document).method == &methods()[3]);
  CHECK(parametersText(activeChoice(viewer.session.document).parameters) == "attachments=1");
}

TEST_CASE("views: each point of the picture belongs to the view drawn there") {
  Viewer viewer = makeViewer("lbs,dqs");
  const std::vector<Viewport> cells = shownCells(viewer.session.document, viewer.ui);
  REQUIRE(cells.size() == 2);
  CHECK((cells[0].width == 300 && cells[1].x == 402)); // side by side, two pixels apart
  const auto left = viewPointAt(viewer.session.document, viewer.ui, {20.0f, 30.0f});
  REQUIRE(left);
  CHECK((left->view == 0 && left->pixel == vec2(20.0f, 30.0f)));
  const auto right = viewPointAt(viewer.session.document, viewer.ui, {322.0f, 30.0f});
  REQUIRE(right);
  CHECK((right->view == 1 && right->pixel == vec2(20.0f, 30.0f)));
  CHECK(!viewPointAt(viewer.session.document, viewer.ui, {301.0f, 30.0f})); // between them
  CHECK(!viewPointAt(viewer.session.document, viewer.ui, {-1.0f, 30.0f}));
  CHECK(!viewPointAt(viewer.session.document, viewer.ui, {20.0f, 400.0f}));
}

TEST_CASE("views: one alone fills the picture") {
  Viewer viewer = makeViewer("lbs,dqs,rigid");
  viewer.session.document.views.active = 2;
  press(viewer, "Enter");
  CHECK(viewer.session.document.views.alone);
  const std::vector<Viewport> cells = shownCells(viewer.session.document, viewer.ui);
  CHECK((cells[0].width == 0 && cells[1].width == 0 && cells[2].width == 602));
  CHECK(viewPointAt(viewer.session.document, viewer.ui, {10.0f, 10.0f})->view == 2);
  press(viewer, "Enter");
  CHECK(!viewer.session.document.views.alone);
  viewer = makeViewer("lbs");
  press(viewer, "Enter"); // nothing to be alone from
  CHECK(!viewer.session.document.views.alone);
}

TEST_CASE("views: another method is added beside linear blending, rigid skinning last") {
  Viewer viewer = makeViewer("arc-spline");
  press(viewer, "V");
  CHECK(methodsText(viewer.session.document.settings.methods) == "arc-spline,lbs");
  for (std::size_t i = 2; i < methods().size(); ++i)
    press(viewer, "V");
  CHECK(activeChoice(viewer.session.document).method == &findMethod("rigid"));
}

TEST_CASE("views: the difference is from linear blending, and the weights give way") {
  Viewer viewer = makeViewer("lbs,arc-spline:attachments=1");
  viewer.session.document.views.active = 1;
  press(viewer, "D");
  CHECK(settingText(viewer.session.document.settings.difference) == "lbs");
  CHECK(viewer.session.document.notices.messages.empty());
  CHECK_NOTHROW(checkSettings(viewer.session.document.settings));
  viewer.session.document.selected = 0;
  press(viewer, "H");
  CHECK(viewer.session.document.heatMap);
  CHECK(!viewer.session.document.settings.difference);
  press(viewer, "D");
  press(viewer, "D");
  CHECK(!viewer.session.document.settings.difference);
}

TEST_CASE("views: more than a page of them are shown six at a time, the active one's page") {
  Viewer viewer = makeViewer("lbs");
  const Document& document = viewer.session.document;
  for (int i = 0; i < 7; ++i)
    press(viewer, "V");
  REQUIRE(viewCount(document) == 8);
  const auto shown = [&] {
    std::vector<std::size_t> all;
    const std::vector<Viewport> cells = shownCells(document, viewer.ui);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i].width > 0) all.push_back(i);
    return all;
  };
  CHECK(shown() == std::vector<std::size_t>{6, 7});
  CHECK(viewPointAt(document, viewer.ui, {20.0f, 30.0f})->view == 6);
  press(viewer, "Ctrl+PageDown"); // to the first
  CHECK(shown() == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
  press(viewer, "Ctrl+PageUp");
  CHECK(shown() == std::vector<std::size_t>{6, 7});
}

} // namespace sinew
