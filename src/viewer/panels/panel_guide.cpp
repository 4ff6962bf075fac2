// The first screen's hint and the guided tour, over the lower end of the picture.

#include "editor/guide.h"
#include "editor/session.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr const char* kHint = "Drop a character here. Space plays. 1 to 9 change the method. "
                              "D shows the difference. ? finds everything.";

void beginGuideCard(const char* name, const Rect& view, float width) {
  const float wide = std::min(scaled(width), view.width - scaled(16));
  ImGui::SetNextWindowPos({view.x + 0.5f * view.width, view.y + view.height - scaled(10)},
                          ImGuiCond_Always, {0.5f, 1.0f});
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, view.height});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, scaled(6));
  ImGui::Begin(name, nullptr,
               panelFlags() | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar();
}

float endGuideCard(const Rect& view) {
  const float height = view.y + view.height - ImGui::GetWindowPos().y;
  ImGui::End();
  return height;
}

float tour(Session& session, const Rect& view, std::size_t step) {
  const std::span<const Scene> scenes = tourScenes();
  const Scene& scene = scenes[step - 1];
  beginGuideCard("##tour", view, 560);
  heading(std::string(scene.title).c_str());
  ImGui::SameLine();
  ImGui::TextColored(faintColor(), "%zu of %zu", step, scenes.size());
  ImGui::PushTextWrapPos();
  ImGui::TextUnformatted(scene.text.data(), scene.text.data() + scene.text.size());
  ImGui::PopTextWrapPos();
  const bool last = step == scenes.size();
  ImGui::BeginDisabled(step == 1);
  const bool back = ImGui::Button("Back");
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool next = ImGui::Button(last ? "Done" : "Next");
  ImGui::SameLine();
  const bool leave = !last && ImGui::Button("Leave the tour");
  const float height = endGuideCard(view);
  if (back) showScene(session, scenes[step - 2]);
  if (next && !last) showScene(session, scenes[step]);
  if (leave || (next && last)) endGuide(session);
  return height;
}

float hintLine(Ui& ui, const Rect& view) {
  const float wide = ImGui::CalcTextSize(kHint).x / scaled(1);
  beginGuideCard("##hint", view, wide + 70.0f);
  ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - scaled(44));
  ImGui::TextUnformatted(kHint);
  ImGui::PopTextWrapPos();
  ImGui::SameLine(ImGui::GetWindowWidth() - scaled(36));
  if (ImGui::SmallButton("\xc3\x97")) ui.hint = !(ui.hintDismissed = true);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("do not show it again");
  return endGuideCard(view);
}

} // namespace

float guidePanel(Session& session, Ui& ui, const Rect& view) {
  if (const std::size_t step = tourStep(session); step > 0) return tour(session, view, step);
  if (ui.hint && session.guide.scene == &firstScene()) return hintLine(ui, view);
  return 0.0f;
}

} // namespace sinew
