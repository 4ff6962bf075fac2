// Panels laid out by Dear ImGui, and drawn by nobody.
#include "animation/layers/layer_stack.h"
#include "app/method_list.h"
#include "editor/document/clip_time.h"
#include "editor/session_test_support.h"
#include "editor/unsaved.h"
#include "import/import_model.h"
#include "viewer/actions.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/panels_test_support.h"
#include "viewer/window/theme.h"
#include "weights/bind_model.h"

#include <doctest/doctest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

namespace sinew {
namespace {

struct Panels {
  test::Editor editor;
  Ui ui;
  test::Interface interface;
  ImGuiContext* context = interface.context;
  Rect picture; // what the panels leave

  Panels(float width, float height, float scale = 1.0f) : interface(width, height, scale) {}

  template <class Body>
  void frame(Body body) {
    ImGui::NewFrame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float top = 26.0f + methodStrip(editor.document, ui, {}, {0, 26, size.x, 0});
    const Rect rest{0, top, size.x, size.y - top - 76.0f};
    const float left = jointPanel(editor.document, ui, rest);
    const float right = sidePanel(editor.session, ui, {}, rest);
    picture = {left, top, size.x - left - right, rest.height};
    body();
    ImGui::EndFrame();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      frame([] {});
  }

  // All that `body` writes into a window of its own.
  template <class Body>
  std::string captureText(Body body) {
    frames(2);
    std::string text;
    frame([&] {
      ImGui::SetNextWindowSize({600, 600});
      ImGui::Begin("text");
      ImGui::LogToBuffer();
      body();
      text = context->LogBuffer.c_str();
      ImGui::LogFinish();
      ImGui::End();
    });
    return text;
  }

  // The height at which the button of a tab is under the mouse; 0: nowhere.
  float findHeight(const char* tab, const char* button) {
    const ImGuiWindow* window = nullptr;
    for (const ImGuiWindow* each : context->Windows)
      if (const char* name = std::strstr(each->Name, tab);
          name != nullptr && std::strchr(name + std::strlen(tab), '/') == nullptr)
        window = each;
    REQUIRE(window != nullptr);
    const ImGuiID id = const_cast<ImGuiWindow*>(window)->GetID(button);
    for (float y = window->Pos.y; y < window->Pos.y + window->Size.y; y += 3.0f) {
      ImGui::GetIO().MousePos = {window->Pos.x + 30.0f, y};
      frames(2);
      if (context->HoveredId == id) return y;
    }
    return 0.0f;
  }
  void click(const char* tab, const char* button) {
    CAPTURE(button);
    REQUIRE(findHeight(tab, button) > 0.0f); // the mouse is there now
    for (const bool down : {true, false}) {
      ImGui::GetIO().MouseDown[0] = down;
      frames(2);
    }
  }
};

} // namespace

TEST_CASE(
    "captions: those of six views at 1024 x 640 fit and differ, with and without differences") {
  Panels panels(1024, 640);
  panels.editor.document.settings.methods =
      parseMethods("lbs,dqs,bones-blending,arc-spline,bezier-spline,stbs");
  panels.editor.open("demo:arm");
  for (const bool differences : {false, true}) {
    CAPTURE(differences);
    panels.editor.document.settings.difference.reset();
    if (differences) readSetting("lbs", panels.editor.document.settings.difference);
    panels.editor.frame();
    panels.frames(3);
    CHECK(panels.picture.width > 450.0f);
    const float room = (panels.picture.width - 4.0f) / 3.0f - 20.0f;
    panels.frame([&] {
      const Captions captions = captionsFor(panels.editor.session, room);
      REQUIRE(captions.shown.size() == 6);
      for (const std::string& text : captions.shown) {
        CAPTURE(text);
        CHECK(ImGui::CalcTextSize(text.c_str()).x <= room);
      }
      CHECK(std::set(captions.shown.begin(), captions.shown.end()).size() == 6);
    });
  }
}

TEST_CASE("time line: that no clip plays is said only where none does, not of a crowd") {
  Panels panels(1280, 800);
  Document& document = panels.editor.document;
  const auto text = [&] { return panels.captureText([&] { timeline(document, panels.ui); }); };
  document.settings.playing = true;
  panels.editor.open("demo:humanoid");
  CHECK(text().find("no clip plays") == std::string::npos);
  setClip(document, "none");
  panels.editor.frame();
  CHECK(text().find("no clip plays") != std::string::npos);

  panels.editor.session.options.stressVertices = 20000;
  panels.editor.open("demo:humanoid");
  REQUIRE(document.crowd);
  CHECK(document.crowd->members.size() > 1);
  CHECK(document.crowd->members.front().clip.has_value()); // it plays
  CHECK(text().find("no clip plays") == std::string::npos);
  CHECK(text().find("a time of its own") != std::string::npos);
}

TEST_CASE("joints: the window and its report count the same as the model has") {
  Panels panels(1280, 800);
  Document& document = panels.editor.document;
  for (const char* model : {"demo:humanoid", "demo:body-arm-splines", "demo:tentacle"}) {
    CAPTURE(model);
    panels.editor.open(model);
    const std::size_t joints = jointNodes(findDemo(model + 5).make()).size();
    CHECK(document.joints.size() == joints); // what list, statistics and About show
    const std::string report =
        panels.captureText([&] { reportTab(panels.editor.session, panels.ui); });
    const std::size_t row = report.find("Joints");
    REQUIRE(row != std::string::npos);
    CHECK(report.substr(row, report.find('\n', row) - row).find(std::to_string(joints)) !=
          std::string::npos);
  }
}

TEST_CASE("bind panel: the button stays where it is, whatever is said above it") {
  Panels panels(1280, 800);
  panels.editor.open("demo:arm");
  panels.ui.tab = SideTab::bind;
  panels.frames(3);
  const float at = panels.findHeight("Side/Bind_", "Bind");
  CHECK(at > 300.0f);
  panels.editor.session.bind.problem = "a reason that takes some lines of the panel, so that all "
                                       "that is below it would be elsewhere";
  selectJoint(panels.editor.document, panels.editor.node("LowerArm"));
  CHECK(panels.findHeight("Side/Bind_", "Bind") == at);
}

TEST_CASE("task: a bare humanoid is bound with a template in four actions") {
  const test::TempFolder folder;
  const auto bare = folder.path / "body.glb";
  writeFile(bare.string(), toGlb(meshesAlone(findDemo("humanoid").make())));
  Panels panels(1280, 800);
  Document& document = panels.editor.document;
  panels.editor.open(bare.string());
  REQUIRE(document.joints.empty());
  REQUIRE(document.notices.topic == Topic::binding); // the window brings its tab
  showTab(document, panels.ui, SideTab::bind);
  panels.frames(3);
  panels.click("##bind_", "##template"); // 1
  panels.click("##Combo_", "Humanoid");  // 2
  panels.editor.wait();
  REQUIRE(drafting(document));
  panels.click("Side/Bind_", "Bind"); // 3
  panels.editor.wait();
  CHECK(panels.editor.session.bind.problem.empty());
  saveWork(panels.editor.session); // 4: Ctrl+S
  CHECK(panels.editor.unsaved().empty());
  std::vector<std::filesystem::path> saved;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    if (entry.path() != bare) saved.push_back(entry.path());
  REQUIRE(saved.size() == 1);
  const Rig rig = buildRig(importModel(saved[0].string()));
  CHECK(rig.joints.size() > 15);
  CHECK(rig.positions.size() == document.workbench.rig.positions.size());
  for (std::size_t v = 0; v < rig.positions.size(); ++v) {
    float sum = 0.0f;
    for (const Influence& influence : rig.influences.of(v))
      sum += influence.weight;
    REQUIRE(sum == doctest::Approx(1.0f).epsilon(1e-3));
  }
}

TEST_CASE("keys: Enter runs what the search has marked, and no text of the list is cut") {
  Panels panels(1024, 640);
  ImGuiIO& io = ImGui::GetIO();
  io.KeyMap[ImGuiKey_Enter] = 1;
  const std::vector<Action> actions = viewerActions();
  const Action* chosen = nullptr;
  const auto frame = [&] {
    panels.frame([&] {
      if (const Action* action = hotkeyPanel(panels.ui, actions)) chosen = action;
    });
  };
  panels.ui.hotkeys = true;
  for (int i = 0; i < 3; ++i)
    frame();
  panels.frame([&] {
    hotkeyPanel(panels.ui, actions);
    const ImGuiTable* table = nullptr;
    for (int i = 0; i < panels.context->Tables.GetMapSize(); ++i)
      if (const ImGuiTable* each = panels.context->Tables.TryGetMapData(i);
          each != nullptr && each->ColumnsCount == 3)
        table = each;
    REQUIRE(table != nullptr);
    for (const Action& action : actions) {
      CAPTURE(action.name);
      CHECK(ImGui::CalcTextSize(action.name.c_str()).x <= table->Columns[1].WidthGiven);
      ImGui::PushFont(monoFont());
      for (const std::string& key : action.keys)
        CHECK(ImGui::CalcTextSize(key.c_str()).x <= table->Columns[0].WidthGiven);
      ImGui::PopFont();
    }
  });
  io.AddInputCharactersUTF8("film");
  frame();
  CHECK(panels.ui.hotkeySearch == "film");
  for (const bool down : {true, false}) {
    io.KeysDown[1] = down;
    frame();
  }
  REQUIRE(chosen != nullptr);
  CHECK(chosen->name == "Export a picture or film...");
}

TEST_CASE("dialogs: they are whole in a window of 1024 x 640") {
  Panels panels(1024, 640);
  panels.editor.open("demo:arm");
  const GlInfo graphics;
  const std::vector<Action> actions = viewerActions();
  for (int which = 0; which < 4; ++which) {
    CAPTURE(which);
    panels.ui.about = which == 0;
    panels.ui.problem = which == 1;
    panels.ui.hotkeys = which == 2;
    if (which == 3) panels.ui.saving = SaveKind::model;
    for (int i = 0; i < 4; ++i)
      panels.frame([&] {
        aboutPanels(panels.editor.session, panels.ui, graphics);
        hotkeyPanel(panels.ui, actions);
        savePanel(panels.editor.session, panels.ui);
      });
    REQUIRE(panels.context->OpenPopupStack.Size == 1);
    const ImGuiWindow* window = panels.context->OpenPopupStack.back().Window;
    REQUIRE(window != nullptr);
    CHECK(window->Size.x > 100.0f);
    CHECK(window->Size.y > 100.0f);
    CHECK(window->Pos.x >= 0.0f);
    CHECK(window->Pos.y >= 0.0f);
    CHECK(window->Pos.x + window->Size.x <= 1024.0f);
    CHECK(window->Pos.y + window->Size.y <= 640.0f);
    ImGui::ClosePopupToLevel(0, false);
    panels.frames(2);
  }
}

TEST_CASE(
    "layers: every kind and field says what it does, and its name leaves room for the slider") {
  Panels panels(1024, 640);
  panels.editor.open("demo:arm");
  panels.frame([&] {
    for (const std::string_view word : kindWords()) {
      CAPTURE(word);
      LayerKind kind = parseLayerKind(word);
      CHECK(kindHelp(kind).size() > 10);
      const auto field = [](const FieldInfo& info, auto&) {
        CAPTURE(info.name);
        CHECK(info.help.size() > 5);
        const std::string name(info.name);
        CHECK(ImGui::CalcTextSize(name.c_str()).x + 68.0f < 200.0f); // value beside it, of 267
      };
      std::visit([&](auto& each) { visitFields(each, field); }, kind);
    }
  });
}

TEST_CASE("painting: the weights that it shows go with it, those that were shown before stay") {
  Panels panels(1280, 800);
  Document& document = panels.editor.document;
  panels.editor.open("demo:arm");
  selectJoint(document, panels.editor.node("LowerArm"));
  for (const bool before : {false, true}) {
    document.heatMap = before;
    showTab(document, panels.ui, SideTab::paint);
    panels.frames(2);
    CHECK(document.heatMap);
    showTab(document, panels.ui, SideTab::layers);
    panels.frames(2);
    CHECK(document.heatMap == before);
  }
}

TEST_CASE("messages: the buttons of a saved file are within the message at 1024 x 640, at once") {
  Panels panels(1024, 640);
  panels.editor.open("demo:arm");
  panels.frames(3);
  Document& document = panels.editor.document;
  document.notices.messages.clear();
  const auto rightEnds = [&] {
    panels.frame([&] { toastPanel(panels.editor.session, panels.ui, panels.picture); });
    const ImGuiWindow* window = ImGui::FindWindowByName("##toasts");
    REQUIRE(window != nullptr);
    CHECK(window->Size.x <= 0.9f * panels.picture.width + 1.0f);
    return std::pair(window->DC.CursorMaxPos.x, window->Pos.x + window->Size.x);
  };
  notify(document, "short");
  for (int i = 0; i < 3; ++i)
    rightEnds();
  notifySaved(document, "/a/long/path/of/folders/in/folders/sinew-Male_Suit-report-001.html");
  for (int i = 0; i < 2; ++i) {
    const auto [content, edge] = rightEnds();
    CHECK(content <= edge);
  }
}

TEST_CASE("columns: they are as wide as before after the window was narrow, also as dragged") {
  Panels panels(1280, 800);
  panels.editor.open("demo:arm");
  panels.frames(3);
  const auto widths = [&] {
    return std::pair(ImGui::FindWindowByName("Joints")->Size.x,
                     ImGui::FindWindowByName("Side")->Size.x);
  };
  const auto showAt = [&](float width) {
    ImGui::GetIO().DisplaySize.x = width;
    panels.frames(3);
  };
  for (const float dragged : {0.0f, 420.0f}) {
    CAPTURE(dragged);
    panels.ui.sideColumn.dragged = dragged;
    showAt(1280);
    const auto before = widths();
    CHECK(before.second == (dragged > 0.0f ? dragged : 300.0f));
    showAt(500);
    CHECK(widths().second <= 200.0f);
    showAt(1280);
    CHECK(widths() == before);
  }
}

TEST_CASE("side panel: a drag of its edge widens it") {
  Panels panels(1280, 800);
  panels.editor.open("demo:arm");
  panels.frames(3);
  const ImGuiWindow* side = ImGui::FindWindowByName("Side");
  const float before = side->Size.x;
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors; // else edges are not dragged
  io.ConfigWindowsResizeFromEdges = true;
  io.MousePos = {side->Pos.x, side->Pos.y + 300.0f};
  panels.frames(30); // the edge is pressed only after the mouse has rested on it
  io.MouseDown[0] = true;
  panels.frames(2);
  io.MousePos.x -= 60.0f;
  panels.frames(3);
  io.MouseDown[0] = false;
  panels.frames(3);
  CHECK(side->Size.x == doctest::Approx(before + 60.0f).epsilon(0.02));
}

TEST_CASE("side panel: no control is cut in a narrow window, or with larger panels") {
  struct Case {
    float width, height, scale;
  };
  for (const Case& window : {Case{700, 500, 1.0f}, Case{1024, 640, 1.0f}, Case{1280, 800, 1.25f},
                             Case{1280, 800, 1.5625f}}) {
    CAPTURE(window.width);
    CAPTURE(window.scale);
    Panels panels(window.width, window.height, window.scale);
    panels.editor.open("demo:humanoid");
    selectJoint(panels.editor.document, panels.editor.node("LeftLowerArm"));
    for (const SideTabInfo& info : kSideTabs) {
      if (info.tab == SideTab::morph) continue; // the model has no morph targets
      const std::string tab = info.name;
      CAPTURE(tab);
      showTab(panels.editor.document, panels.ui, info.tab);
      panels.frames(4);
      for (const ImGuiWindow* each : panels.context->Windows) {
        if (!each->Active || std::strstr(each->Name, "Side") == nullptr) continue;
        const std::string name = each->Name;
        CAPTURE(name);
        CHECK(each->DC.CursorMaxPos.x <= each->ContentRegionRect.Max.x + 1.0f);
      }
    }
  }
}

TEST_CASE("side panel: another model is shown from the top of the tab") {
  Panels panels(1024, 400);
  panels.editor.open("demo:humanoid");
  panels.frames(3);
  const auto scrolled = [&] {
    for (const ImGuiWindow* each : panels.context->Windows)
      if (std::strstr(each->Name, "Side/Look") != nullptr) return each->Scroll.y;
    return -1.0f;
  };
  for (ImGuiWindow* each : panels.context->Windows)
    if (std::strstr(each->Name, "Side/Look") != nullptr) each->ScrollTarget.y = 100.0f;
  panels.frames(3);
  REQUIRE(scrolled() > 0.0f);
  panels.editor.open("demo:arm");
  panels.frames(3);
  CHECK(scrolled() == 0.0f);
}

} // namespace sinew
