// Save As: what, and where to.

#include "editor/edit_files.h"
#include "editor/save_as.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kSaveTitle = "Save as";

void chooseKind(const Session& session, Ui& ui, SaveKind kind) {
  ui.saveKind = kind;
  ui.savePath = defaultSavePath(session, kind).string();
}

void kinds(const Session& session, Ui& ui) {
  labelAbove("What");
  if (!ImGui::BeginCombo("##What", workKind(ui.saveKind).title)) return;
  for (const WorkKind& kind : workKinds()) {
    const std::string problem = saveProblem(session, kind.kind);
    if (ImGui::Selectable(kind.title, kind.kind == ui.saveKind,
                          problem.empty() ? 0 : ImGuiSelectableFlags_Disabled))
      chooseKind(session, ui, kind.kind);
    itemHelp(problem.empty() ? kind.help : problem.c_str());
  }
  ImGui::EndCombo();
}

} // namespace

void savePanel(Session& session, Ui& ui) {
  if (const auto asked = std::exchange(ui.saving, std::nullopt)) {
    const std::string problem = saveProblem(session, *asked);
    if (!problem.empty()) return notify(session.document, problem);
    chooseKind(session, ui, *asked);
    ImGui::OpenPopup(kSaveTitle);
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.42f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(scaled(560), 0.94f * display.x), 0});
  bool open = true;
  if (!ImGui::BeginPopupModal(kSaveTitle, &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return;
  kinds(session, ui);
  faintText(workKind(ui.saveKind).help);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  labelAbove("File");
  const bool enter = ImGui::InputText("##File", &ui.savePath, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::Spacing();
  const bool save = ImGui::Button("Save", {scaled(120), 0}) || enter;
  ImGui::SameLine();
  if (save || ImGui::Button("Cancel  Esc")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (save) saveAs(session, ui.saveKind, ui.savePath);
}

} // namespace sinew
