// Every control and action of the window, in one that nobody draws: pressed, dragged and typed
// into.
#include "core/file.h"
#include "core/random.h"
#include "core/test_effort.h"
#include "demo/demo.h"
#include "editor/running_tasks.h"
#include "editor/session_test_support.h"
#include "gl/context.h"
#include "model/check_model.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/panels_test_support.h"
#include "viewer/state/view_layout.h"
#include "viewer/tools/tools.h"
#include "viewer/viewer_state.h"
#include "viewer/viewport.h"

#include <doctest/doctest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cstdlib>
#include <cstring>
#include <set>

namespace sinew {
namespace {

constexpr float kScanStep = 7.0f;
constexpr int kScanColumns = 7;

enum class Way { click, twice, drag, type };

// The search path for programs, empty meanwhile: neither film encoder nor file manager is started.
struct NoPrograms {
  std::string before = std::getenv("PATH");
  NoPrograms() { setenv("PATH", "", 1); }
  ~NoPrograms() { setenv("PATH", before.c_str(), 1); }
};

struct PressedWindow {
  test::Interface interface { 1280.0f, 800.0f };
  ImGuiContext* context = interface.context;
  Viewer viewer;
  Session& session = viewer.session;
  Document& document = viewer.session.document;
  double now = 0.0;

  explicit PressedWindow(const std::string& model) {
    for (int key = 0; key < ImGuiKey_COUNT; ++key)
      ImGui::GetIO().KeyMap[key] = key; // index into KeysDown
    SessionOptions options;
    options.program = "no program"; // reports and figures would run all tests again
    viewer.session = makeSession({}, options);
    viewer.actions = viewerActions();
    viewer.graphics.emplace();
    viewer.recorder.encoder = std::make_unique<Task<std::string>>();
    open(model);
  }

  void open(const std::string& model) {
    openModel(session, {{.model = model}});
    wait();
    REQUIRE(document.loaded.model == model);
  }

  // Does what the window's loop does.
  void poll() {
    now += 1.0 / 60.0;
    pollTasks(session, now);
    pollRecording(document, viewer.recorder);
    if (session.imports.pending) acceptImport(session);
  }
  void wait() {
    frame();
    for (int i = 0; i < 20000 && hasRunningTask(session); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      poll();
    }
    REQUIRE(!hasRunningTask(session));
    frame();
  }

  void frame() {
    poll();
    ImGui::NewFrame();
    viewer.found = viewer.actions;
    std::ranges::move(sessionActions(session), std::back_inserter(viewer.found));
    const Menu menu{viewer.actions,
                    [&](const Action& action) { return action.checked && action.checked(viewer); },
                    viewer.found};
    const auto [rect, chosen] =
        drawPanels(session, viewer.ui, *viewer.graphics, viewer.statistics, viewer.recorder, menu);
    if (chosen != nullptr) chosen->run(viewer);
    mouseInput(session, viewer.ui, viewer.tools, rect, 1.0f);
    viewer.ui.viewport = toViewport(rect, 1.0f, 800);
    document.notices.topic.reset();
    advanceSession(session, 1.0f / 60.0f);
    document.changes = {};
    viewCaptions(session, viewer.ui, *viewer.graphics, viewer.statistics, rect);
    jointLabels(document, viewer.ui, rect);
    ImGui::EndFrame();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      frame();
  }

  void closePopups() {
    if (context->OpenPopupStack.Size > 0) ImGui::ClosePopupToLevel(0, false);
    session.quit = false;
    cancelDiscard(session);
    frames(2);
  }

  // Where each control of a window is, by the mouse's way over it; the lowest first, so that what
  // opens and closes others is pressed after them.
  std::vector<vec2> findControls(const ImRect& area) {
    std::set<ImGuiID> known;
    std::vector<vec2> found;
    for (float y = area.Min.y + 4.0f; y < area.Max.y; y += kScanStep)
      for (int column = 0; column < kScanColumns; ++column) {
        const float share = (static_cast<float>(column) + 0.5f) / kScanColumns;
        const vec2 place{area.Min.x + share * area.GetWidth(), y};
        ImGui::GetIO().MousePos = {place.x, place.y};
        frame();
        if (context->HoveredId != 0 && known.insert(context->HoveredId).second)
          found.push_back(place);
      }
    std::ranges::reverse(found);
    return found;
  }

  void button(bool down) {
    ImGui::GetIO().MouseDown[0] = down;
    frame();
  }
  void press(const vec2& place, Way way, Random& random) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {place.x, place.y};
    frames(2);
    io.KeyCtrl = way == Way::type;
    io.KeyMods = way == Way::type ? ImGuiKeyModFlags_Ctrl : 0;
    button(true);
    io.KeyCtrl = false;
    io.KeyMods = 0;
    if (way == Way::drag)
      for (int i = 0; i < 3; ++i) {
        io.MousePos.x += random.uniform(-12.0f, 16.0f);
        io.MousePos.y += random.uniform(-3.0f, 3.0f);
        frame();
      }
    button(false);
    if (way == Way::twice) {
      viewer.ui.doubleClick = true;
      button(true);
      button(false);
    }
    if (io.WantTextInput) {
      io.AddInputCharactersUTF8(random.below(2) == 0 ? "0.4" : "arm");
      frame();
      for (const bool down : {true, false}) {
        io.KeysDown[ImGuiKey_Enter] = down;
        frame();
      }
    }
    frame();
  }

  // What a press has opened: one of its controls too.
  void followPopup(Random& random) {
    for (int deep = 0; deep < 2 && context->OpenPopupStack.Size > 0; ++deep) {
      const ImGuiWindow* window = context->OpenPopupStack.back().Window;
      if (window == nullptr) return;
      const auto controls = findControls(window->Rect());
      if (controls.empty()) return;
      press(controls[random.below(static_cast<std::uint32_t>(controls.size()))], Way::click,
            random);
    }
  }

  void check() const {
    CHECK(modelProblem(document.workbench.model) == "");
    CHECK(std::ranges::all_of(document.workbench.modelFromNode,
                              [](const mat4& each) { return isFinite(each); }));
    CHECK(std::ranges::all_of(document.workbench.rig.influences.values,
                              [](const Influence& each) { return std::isfinite(each.weight); }));
  }
};

// What undoing and the settings of before bring back.
struct Shown {
  std::vector<mat4> nodes;
  std::vector<float> weights;
  std::vector<vec3> positions;

  explicit Shown(const Document& document)
      : nodes(document.workbench.modelFromNode), weights(test::collectWeights(document)),
        positions(document.workbench.rig.positions) {}
  // The kinds of numbers that differ.
  std::string differs(const Shown& other) const {
    std::string out;
    if (nodes != other.nodes) out += "nodes ";
    if (weights != other.weights) out += "weights ";
    if (positions != other.positions) out += "positions ";
    return out;
  }
};

ImRect findWindowRect(const ImGuiContext& context, const char* name) {
  for (const ImGuiWindow* window : context.Windows)
    if (window->WasActive && std::strcmp(window->Name, name) == 0) return window->Rect();
  return {};
}

// Does something that a person can do, and undoes it.
template <class Act>
void tryAndUndo(PressedWindow& window, const Act& act) {
  Document& document = window.document;
  const std::string model = document.loaded.model;
  const Settings settings = document.settings;
  const SideTab tab = window.viewer.ui.tab;
  const Tool tool = document.tool;
  const std::optional<std::uint32_t> selected = document.selected;
  const Shown before(document);
  act();
  window.closePopups();
  cancelBaking(window.session.bake); // it may take a minute
  window.wait();
  window.check();
  forgetRagdoll(document, window.session.play);
  discardOpenEdit(document);
  while (document.history.canUndo())
    undoEdit(document);
  window.frame();
  document.crowd.reset();
  document.sideModels.clear();
  window.session.guide = {};
  const bool other = document.loaded.model != model;
  if (other) window.open(model);
  document.settings = settings;
  document.stale = true;
  window.viewer.ui.panels = true;
  showTab(document, window.viewer.ui, tab);
  document.tool = tool;
  window.wait();
  selectJoint(document, selected);
  if (!other) CHECK(before.differs(Shown(document)) == "");
}

std::vector<Way> ways() {
  if (test::kThorough) return {Way::click, Way::twice, Way::drag, Way::type};
  return {Way::click, Way::drag};
}

// Each control of a window in each way.
void pressAll(PressedWindow& window, const char* name, Random& random) {
  window.frames(3);
  const ImRect area = findWindowRect(*window.context, name);
  REQUIRE(area.GetHeight() > 0.0f);
  for (const vec2& place : window.findControls(area))
    for (const Way way : ways()) {
      CAPTURE(place.x);
      CAPTURE(place.y);
      CAPTURE(static_cast<int>(way));
      tryAndUndo(window, [&] {
        window.press(place, way, random);
        window.followPopup(random);
      });
    }
}

// Strokes over the model with the tool that there is.
void strokeAll(PressedWindow& window, Random& random) {
  window.frames(3);
  for (int stroke = 0; stroke < test::rounds(60, 12); ++stroke)
    tryAndUndo(window, [&] {
      const Viewport& view = window.viewer.ui.viewport;
      const float x =
          static_cast<float>(view.x) + static_cast<float>(view.width) * random.uniform();
      const float y = 100.0f + 500.0f * random.uniform();
      window.press({x, y}, Way::drag, random);
    });
}

std::vector<const char*> pressedModels() {
  if (test::kThorough) return {"demo:flexing-arm", "demo:body-arm-splines"};
  return {"demo:flexing-arm"};
}

PressedWindow& begin(PressedWindow& window, const std::string& model, SideTab tab) {
  window.open(model);
  window.document.settings.playing = false;
  selectJoint(window.document, window.document.joints[1]);
  showTab(window.document, window.viewer.ui, tab);
  return window;
}

} // namespace

TEST_CASE("controls: all of them can be pressed, dragged and typed into, and undone") {
  const HeadlessContext context;
  const test::InFolder folder("flexing-arm");
  const NoPrograms none;
  Random random(1);
  for (const std::string model : pressedModels()) {
    CAPTURE(model);
    PressedWindow window(model);
    for (const SideTabInfo& tab : kSideTabs) {
      CAPTURE(tab.name);
      begin(window, model, tab.tab);
      for (int again = 0; again < 2; ++again) // sections are open then
        pressAll(window, "Side", random);
    }
    for (const char* name : {"##MainMenuBar", "Joints", "Transport", "Methods"}) {
      CAPTURE(name);
      pressAll(window, name, random);
    }
  }
}

TEST_CASE("controls: those of a motion that is on the model can be pressed") {
  const HeadlessContext context;
  const test::InFolder folder("arm");
  const NoPrograms none;
  Random random(3);
  PressedWindow window("demo:arm");
  openMotion(window.session, folder.file);
  window.wait();
  window.document.settings.playing = false;
  showTab(window.document, window.viewer.ui, SideTab::model);
  window.frames(3);
  const ImRect side = findWindowRect(*window.context, "Side");
  const std::vector<vec2> closed = window.findControls(side);
  std::size_t found = 0;
  for (const vec2& place : closed) { // one of them is the section of the map
    window.press(place, Way::click, random);
    window.closePopups();
    window.viewer.ui.panels = true;
    showTab(window.document, window.viewer.ui, SideTab::model);
    window.frames(2);
    found = std::max(found, window.findControls(side).size());
    if (found >= closed.size() + 6) break; // what moves each joint
  }
  CHECK(found >= closed.size() + 6);
  for (const vec2& place : window.findControls(side)) // another map is no edit: nothing is undone
    for (const Way way : ways()) {
      window.press(place, way, random);
      window.followPopup(random);
      window.closePopups();
      window.wait();
      window.check();
    }
}

TEST_CASE("tools: strokes over the model with each, undone") {
  const HeadlessContext context;
  const test::InFolder folder("flexing-arm");
  const NoPrograms none;
  Random random(2);
  for (const std::string model : pressedModels()) {
    CAPTURE(model);
    PressedWindow window(model);
    for (const SideTabInfo& tab : kSideTabs) {
      CAPTURE(tab.name);
      strokeAll(begin(window, model, tab.tab), random);
    }
    for (const Tool tool : {Tool::rotate, Tool::move, Tool::reach, Tool::zone, Tool::sculpt}) {
      CAPTURE(static_cast<int>(tool));
      begin(window, model, SideTab::settings);
      window.document.tool = tool;
      strokeAll(window, random);
    }
  }
}

TEST_CASE("actions: each runs in every mode, and is undone") {
  const HeadlessContext context;
  const test::InFolder folder("flexing-arm");
  const NoPrograms none;
  for (const std::string model : pressedModels()) {
    CAPTURE(model);
    PressedWindow window(model);
    const std::vector<Action> actions = viewerActions();
    for (const Mode mode : {Mode::look, Mode::pose, Mode::weights, Mode::motion}) {
      begin(window, model, SideTab::settings);
      showMode(window.document, window.viewer.ui, mode);
      for (const Action& action : actions) {
        CAPTURE(action.name);
        tryAndUndo(window, [&] {
          action.run(window.viewer);
          window.frames(3);
          action.run(window.viewer); // switches a toggle back
          window.frames(2);
        });
      }
    }
  }
}

} // namespace sinew
