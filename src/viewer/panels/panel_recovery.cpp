// The question whether work that was in no file when the program was told to end is restored.

#include "editor/session.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <filesystem>

namespace sinew {
namespace {

constexpr const char* kRecoveryTitle = "Unsaved work";

} // namespace

void recoveryPanel(Session& session, Ui& ui) {
  if (session.recoveries.empty()) return;
  const bool answered = ui.recoveryAsked && !ImGui::IsPopupOpen(kRecoveryTitle); // by Escape: later
  if (answered) return session.recoveries.clear();
  if (!ui.recoveryAsked) ImGui::OpenPopup(kRecoveryTitle);
  ui.recoveryAsked = true;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.42f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  constexpr int kFlags =
      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize;
  if (!ImGui::BeginPopupModal(kRecoveryTitle, nullptr, kFlags)) return;
  const Recovery recovery = session.recoveries.front();
  const std::string name = std::filesystem::path(recovery.model).filename().string();
  ImGui::TextUnformatted(fmt::format("Restore unsaved work of {}?", name).c_str());
  ImGui::TextColored(faintColor(), "sinew was told to end before it was saved.");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", recovery.file.c_str());
  ImGui::Spacing();
  const bool enter =
      !ImGui::IsWindowAppearing() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
  const bool restore = ImGui::Button("Restore  Enter", {scaled(120), 0}) || enter;
  ImGui::SameLine();
  const bool discard = ImGui::Button("Discard", {scaled(90), 0});
  ImGui::SameLine();
  const bool later = ImGui::Button("Later  Esc");
  if (restore || discard || later) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (restore) restoreRecovery(session, recovery);
  if (discard) discardRecovery(session, recovery);
  if (restore || later) session.recoveries.clear(); // one is shown; the others wait for a start
  if (!discard) return;
  session.recoveries.erase(session.recoveries.begin());
  ui.recoveryAsked = false;
}

} // namespace sinew
