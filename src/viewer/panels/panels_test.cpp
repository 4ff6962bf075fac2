// Panels laid out by Dear ImGui, and drawn by nobody.
#include "animation/layers/layer_stack.h"
#include "app/method_list.h"
#include "editor/session_test_support.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <doctest/doctest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cstring>
#include <set>

namespace sinew {
namespace {

struct Panels {
  test::Editor editor;
  Ui ui;
  ImGuiContext* context = ImGui::CreateContext();
  Rect picture; // what the panels leave

  Panels(float width, float height) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {width, height};
    io.DeltaTime = 1.0f / 60.0f;
    io.IniFilename = nullptr;
    applyTheme(1.0f, false);
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  }
  Panels(const Panels&) = delete;
  Panels& operator=(const Panels&) = delete;
  ~Panels() { ImGui::DestroyContext(context); }

  template <class Body>
  void frame(Body body) {
    ImGui::NewFrame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float top = 26.0f + methodStrip(editor.document, ui, {0, 26, size.x, 0});
    const Rect rest{0, top, size.x, size.y - top - 76.0f};
    const float left = jointPanel(editor.document, ui, rest);
    const float right = sidePanel(editor.session, ui, rest);
    picture = {left, top, size.x - left - right, rest.height};
    body();
    ImGui::EndFrame();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      frame([] {});
  }

  // The height at which the button of a tab is under the mouse; 0: nowhere.
  float heightOf(const char* tab, const char* button) {
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

TEST_CASE("bind panel: the button stays where it is, whatever is said above it") {
  Panels panels(1280, 800);
  panels.editor.open("demo:arm");
  panels.ui.tab = SideTab::bind;
  panels.frames(3);
  const float at = panels.heightOf("Side/Bind_", "Bind");
  CHECK(at > 300.0f);
  panels.editor.session.bind.problem = "a reason that takes some lines of the panel, so that all "
                                       "that is below it would be elsewhere";
  selectJoint(panels.editor.document, panels.editor.node("LowerArm"));
  CHECK(panels.heightOf("Side/Bind_", "Bind") == at);
}

TEST_CASE(
    "layers: every kind and field says what it does, and its name leaves room for the slider") {
  Panels panels(1024, 640);
  panels.editor.open("demo:arm");
  panels.frame([&] {
    for (const std::string_view word : kindWords()) {
      CAPTURE(word);
      LayerKind kind = kindOf(word);
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

} // namespace sinew
