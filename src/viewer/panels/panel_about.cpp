// About, and what a report of a problem needs.

#include "app/method_list.h"
#include "editor/session.h"
#include "skinning/methods.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kAboutTitle = "About sinew";
constexpr const char* kProblemTitle = "Report a problem";

// False while it is closed; then it is not to be ended.
bool beginDialog(const char* title, bool& asked, float width) {
  if (std::exchange(asked, false)) ImGui::OpenPopup(title);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float wide = std::min(scaled(width), 0.94f * display.x);
  ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, 0.94f * display.y});
  ImGui::SetNextWindowSize({wide, 0});
  bool open = true;
  return ImGui::BeginPopupModal(title, &open, ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
}

void endDialog() {
  if (ImGui::Button("Close  Esc")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

// No more than whoever fixes it needs: names of files, but not where they lie.
std::string facts(const Session& session, const GlInfo& graphics) {
  const Document& document = session.document;
  const Model& model = document.workbench.model;
  std::string text =
      fmt::format("sinew {}\nOpenGL {}, {}\n", SINEW_VERSION, graphics.version, graphics.renderer);
  if (hasModel(document))
    text += fmt::format("model {} ({}), {} vertices, {} joints, {} clips\n", model.name,
                        model.format.empty() ? "built in" : model.format,
                        document.workbench.rig.positions.size(), document.joints.size(),
                        model.clips.size());
  text += fmt::format("methods {}\n", methodsText(document.settings.methods));
  if (session.imports.failure) text += session.imports.failure->message + "\n";
  for (const std::string& line : model.warnings)
    text += fmt::format("warning: {}\n", line);
  return text + "\nWhat was done, what was expected, and what happened:\n";
}

} // namespace

void aboutPanels(const Session& session, Ui& ui, const GlInfo& graphics) {
  if (beginDialog(kAboutTitle, ui.about, 720)) {
    heading(fmt::format("sinew {}", SINEW_VERSION).c_str());
    ImGui::TextWrapped("Skinning methods of the literature side by side, in real time.");
    faintText(graphics.renderer);
    ImGui::Spacing();
    for (const Method& method : methods()) {
      ImGui::TextUnformatted(std::string(method.title).c_str());
      if (!method.paper.empty()) faintText(std::string(method.paper));
    }
    ImGui::Spacing();
    endDialog();
  }
  if (beginDialog(kProblemTitle, ui.problem, 620)) {
    std::string text = facts(session, graphics);
    ImGui::TextWrapped("Copy this into the report, and send the file along where you may.");
    ImGui::InputTextMultiline("##facts", &text, {-1.0f, scaled(220)}, ImGuiInputTextFlags_ReadOnly);
    if (ImGui::Button("Copy")) ImGui::SetClipboardText(text.c_str());
    ImGui::SameLine();
    endDialog();
  }
}

} // namespace sinew
