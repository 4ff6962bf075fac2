#include "viewer/panels.h"

#include "viewer/file_browser.h"
#include "viewer/theme.h"

#include <GLFW/glfw3.h>
#include <imgui/imgui.h>

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

void toastPanel(Viewer& viewer, const Rect& view) {
  auto& toasts = viewer.ui.toasts;
  const double now = glfwGetTime();
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

Rect drawPanels(Viewer& viewer) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  Rect view{0, 0, size.x, size.y};
  if (viewer.ui.panels) {
    const float top = menuBar(viewer);
    const float bar = scaled(76);
    view = {0, top, size.x, size.y - top - bar};
    transportBar(viewer, {0, size.y - bar, size.x, bar});
    float& below = viewer.ui.statisticsHeight;
    const float left = jointPanel(viewer, {view.x, view.y, view.width, view.height - below});
    below =
        viewer.settings.statistics ? statisticsPanel(viewer, {0, top, left, view.height}) : 0.0f;
    const float right = sidePanel(viewer, view);
    view.x = left;
    view.width = std::max(size.x - left - right, 1.0f);
  }
  importPanel(viewer, view);
  failurePanel(viewer, view);
  toastPanel(viewer, view);
  hotkeyPanel(viewer);
  browserPanel(viewer);
  leavePanel(viewer);
  return view;
}

} // namespace sinew
