#include "viewer/panels/panels.h"

#include "viewer/panels/file_browser.h"
#include "viewer/window/theme.h"

#include <GLFW/glfw3.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <utility>

namespace sinew {

int panelFlags() {
  return ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings;
}

void heading(const char* text) {
  ImGui::PushFont(boldFont());
  ImGui::TextUnformatted(text);
  ImGui::PopFont();
}

void faintText(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, faintColor());
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void toastPanel(Document& document, Ui& ui, const Rect& view) {
  constexpr double kSeconds = 6.0;
  constexpr std::size_t kMaxToasts = 4;
  auto& toasts = ui.toasts;
  const double now = glfwGetTime();
  for (std::string& text : std::exchange(document.messages, {}))
    toasts.push_back({std::move(text), now + kSeconds});
  while (toasts.size() > kMaxToasts)
    toasts.pop_front();
  std::erase_if(toasts, [&](const Toast& toast) { return toast.until < now; });
  if (toasts.empty()) return;
  ImGui::SetNextWindowPos({view.x + 0.5f * view.width, view.y + view.height - scaled(12)},
                          ImGuiCond_Always, {0.5f, 1.0f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {0.9f * view.width, view.height});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("##toasts", nullptr,
               panelFlags() | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PushTextWrapPos(0.85f * view.width);
  for (const Toast& toast : toasts)
    ImGui::TextUnformatted(toast.text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::End();
}

PanelResult drawPanels(Session& session, Ui& ui, const Graphics& graphics,
                       const Statistics& statistics, Recorder& recorder, const Menu& menu) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  PanelResult result{{0, 0, size.x, size.y}};
  Rect& view = result.picture;
  ui.bendEnd.reset();
  ui.rescaled = std::exchange(ui.textSize, ImGui::GetFontSize()) != ImGui::GetFontSize();
  if (ui.panels) {
    const auto [menus, chosen] = menuBar(session, ui, menu);
    result.chosen = chosen;
    const float top = menus + methodStrip(session.document, ui, {0, menus, size.x, 0});
    const float bar = transportHeight(ui, size.y);
    view = {0, top, size.x, size.y - top - bar};
    transportBar(session.document, ui, {0, size.y - bar, size.x, bar});
    float& below = ui.statisticsHeight;
    const float left =
        jointPanel(session.document, ui, {view.x, view.y, view.width, view.height - below});
    below =
        session.document.settings.statistics
            ? statisticsPanel(session.document, graphics, statistics, {0, top, left, view.height})
            : 0.0f;
    const float right = sidePanel(session, ui, view);
    view.x = left;
    view.width = std::max(size.x - left - right, 1.0f);
  }
  if (ui.panels) axisGizmo(session.document, ui, view);
  importPanel(session, view);
  failurePanel(session, ui, view);
  Rect above = view;
  above.height -= guidePanel(session, ui, view);
  toastPanel(session.document, ui, above);
  if (const Action* chosen = hotkeyPanel(ui, menu.found)) result.chosen = chosen;
  browserPanel(session, ui);
  recordPanel(session, ui, recorder);
  savePanel(session, ui);
  aboutPanels(session, ui, graphics.info);
  figuresPanel(session, ui, graphics);
  texturePanel(session.document, ui, graphics);
  recoveryPanel(session, ui);
  companionMenu(session, ui);
  leavePanel(session);
  return result;
}

} // namespace sinew
