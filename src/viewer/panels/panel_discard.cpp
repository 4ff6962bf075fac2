// The question before unsaved work is discarded.

#include "editor/unsaved.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace sinew {
namespace {

constexpr const char* kTitle = "Not saved";

} // namespace

void discardPanel(Session& session) {
  if (!session.discard.asked) return;
  if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.42f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  constexpr int kFlags =
      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize;
  if (!ImGui::BeginPopupModal(kTitle, nullptr, kFlags)) return;
  const std::vector<UnsavedWork> all = unsavedWork(session);
  ImGui::TextUnformatted("Not saved yet:");
  for (const UnsavedWork& work : all)
    ImGui::BulletText("%s", work.what.c_str());
  ImGui::Spacing();
  const std::string doing = session.discard.doing;
  std::string then = doing;
  then[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(then[0])));
  const bool savable = std::ranges::all_of(
      all, [](const auto& work) { return work.kind != nullptr || work.endsAsClip; });
  ImGui::BeginDisabled(!savable);
  const bool save = ImGui::Button(fmt::format("Save, then {}", then).c_str());
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool discard = ImGui::Button(fmt::format("{} without saving", doing).c_str());
  ImGui::SameLine();
  const bool back = ImGui::Button("Cancel  Esc");
  if (save || discard || back) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (save) saveAndContinue(session);
  if (discard) discardWork(session);
  if (back) cancelDiscard(session);
}

} // namespace sinew
