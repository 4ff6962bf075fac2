// What users come for, with the actions that it takes them: each press and each click is one.
#include "editor/apply.h"
#include "editor/document/views.h"
#include "editor/pose/pick.h"
#include "process/end_request.h"
#include "viewer/actions.h"
#include "viewer/state/view_layout.h"
#include "viewer/viewer_state.h"

#include <doctest/doctest.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

namespace sinew {
namespace {

volatile std::sig_atomic_t endedAtOnce = 0;

// The window without its display, as it starts from an empty home.
struct User {
  Viewer viewer;
  Document& document = viewer.session.document;
  int actions = 0;

  explicit User(const char* model) {
    viewer.session = makeSession({}, {});
    viewer.actions = viewerActions();
    viewer.ui.viewport = {0, 0, 740, 560};
    openModel(viewer.session, {{.model = model}});
    for (int i = 0; i < 24000 && !hasModel(document); ++i) {
      pollImport(viewer.session, 1e-3 * i);
      if (viewer.session.imports.pending) acceptImport(viewer.session);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(hasModel(document));
    frame();
  }
  void frame() { advanceSession(viewer.session, 1.0f / 60.0f); }
  void press(const char* key) {
    const Action* action = actionOfChord(viewer.actions, key);
    REQUIRE(action != nullptr);
    action->run(viewer);
    ++actions;
    frame();
  }
  vec3 at(const char* joint) const {
    return vec3(
        document.workbench.modelFromNode[*findNode(document.workbench.model.hierarchy, joint)][3]);
  }
  vec2 seen(const char* joint) const {
    return vec2(screenFromWorld(currentView(document, viewer.ui), at(joint)));
  }
  void click(const vec2& pixel) {
    selectJoint(document, pickJoint(document.workbench.model, document.workbench.modelFromNode,
                                    currentView(document, viewer.ui), pixel, 8.0f));
    ++actions;
    frame();
  }
};

} // namespace

TEST_CASE("task: an elbow close up in two actions") {
  User user("demo:humanoid");
  const float before = glm::distance(user.seen("LeftUpperArm"), user.seen("LeftLowerArm"));
  user.click(0.7f * user.seen("LeftLowerArm") + 0.3f * user.seen("LeftHand"));
  user.press(".");
  CHECK(user.actions == 2);
  const vec2 elbow = user.seen("LeftLowerArm");
  CHECK(glm::distance(elbow, vec2(370, 280)) < 30.0f);
  CHECK(glm::distance(user.seen("LeftUpperArm"), elbow) > 2.5f * before);
  // Half of both bones is in the picture.
  for (const char* other : {"LeftUpperArm", "LeftHand"}) {
    const vec2 half = 0.5f * (elbow + user.seen(other));
    CHECK(half.x > 0.0f);
    CHECK(half.x < 740.0f);
    CHECK(half.y > 0.0f);
    CHECK(half.y < 560.0f);
  }
}

TEST_CASE("task: the first difference from linear blending in two actions") {
  User user("demo:arm");
  CHECK(user.document.workbench.differences.empty());
  user.press("5");
  user.press("D");
  CHECK(user.actions == 2);
  REQUIRE(user.document.workbench.differences.size() == 1);
  const Difference& difference = user.document.workbench.differences.front();
  CHECK_FALSE(difference.reference);
  CHECK(user.document.settings.difference->method->name == "lbs");
  CHECK(activeChoice(user.document).method->name == "arc-spline");
  float largest = 0.0f; // over the clip that plays
  for (int i = 0; i < 60; ++i) {
    user.frame();
    largest = std::max(largest, user.document.workbench.differences.front().largest);
  }
  CHECK(largest > 1e-3f);
}

TEST_CASE("task: Ctrl+C asks the window to end; a second one does what it did before") {
  struct sigaction own {};
  struct sigaction before {};
  own.sa_handler = [](int) { endedAtOnce = 1; };
  REQUIRE(::sigaction(SIGINT, &own, &before) == 0);
  {
    const EndRequest end;
    CHECK_FALSE(end.made());
    ::raise(SIGINT);
    CHECK(end.made());
    CHECK(endedAtOnce == 0);
    ::raise(SIGINT);
    CHECK(endedAtOnce == 1);
  }
  endedAtOnce = 0;
  ::raise(SIGINT);
  CHECK(endedAtOnce == 1);
  ::sigaction(SIGINT, &before, nullptr);
}

TEST_CASE("task: joints, clips and settings are found by their names") {
  User user("demo:humanoid");
  const auto run = [&](const char* words, const char* group) {
    const std::vector<Action> actions = sessionActions(user.viewer.session);
    const auto found = searchActions(actions, words);
    REQUIRE_FALSE(found.empty());
    CHECK(found.front()->group == group);
    found.front()->run(user.viewer);
    user.frame();
  };
  run("lefthand", "Joints");
  CHECK(user.document.selected == findNode(user.document.workbench.model.hierarchy, "LeftHand"));
  CHECK(glm::distance(user.seen("LeftHand"), vec2(370, 280)) < 30.0f);
  run("wave", "Clips");
  CHECK(user.document.settings.clip == "wave");
  user.viewer.ui.tab = SideTab::ragdoll;
  run("light yaw", "Settings");
  CHECK(user.viewer.ui.tab == SideTab::settings);
}

TEST_CASE("task: the panels are hidden in one action, and the window says how they come back") {
  User user("demo:arm");
  user.press("Tab");
  CHECK_FALSE(user.viewer.ui.panels);
  REQUIRE_FALSE(user.document.notices.messages.empty());
  CHECK(user.document.notices.messages.back().find("Tab") != std::string::npos);
  user.press("Tab");
  CHECK(user.viewer.ui.panels);
}

} // namespace sinew
