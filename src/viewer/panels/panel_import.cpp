// What is being read, and why the last file could not be.

#include "editor/importer.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <cmath>

namespace sinew {
namespace {

void beginCard(const char* id, const Rect& view, float width) {
  const float available = view.width - scaled(24);
  width = std::min(width, available);
  ImGui::SetNextWindowPos({view.x + 0.5f * view.width, view.y + 0.42f * view.height},
                          ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, view.height});
  ImGui::SetNextWindowBgAlpha(0.97f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, scaled(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(18), scaled(16)});
  ImGui::Begin(id, nullptr,
               (panelFlags() & ~ImGuiWindowFlags_NoBringToFrontOnFocus) |
                   ImGuiWindowFlags_AlwaysAutoResize);
}

void endCard() {
  ImGui::End();
  ImGui::PopStyleVar(2);
}

// A bar whose bright part wanders: for work whose end is not known.
void busyBar(double seconds) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(8);
  const float part = 0.25f * width;
  const auto phase = static_cast<float>(std::fmod(0.8 * seconds, 2.0));
  const float left = at.x + (phase < 1.0f ? phase : 2.0f - phase) * (width - part);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                     rounding);
  draw.AddRectFilled({left, at.y}, {left + part, at.y + height},
                     ImGui::GetColorU32(ImGuiCol_PlotHistogram), rounding);
  ImGui::Dummy({width, height});
}

} // namespace

void importPanel(Session& session, const Rect& view) {
  const bool beside = !session.imports.importer->running();
  const Importer& importer = beside ? *session.sideImports.importer : *session.imports.importer;
  if (!importer.running()) return;
  const Importer::Status progress = importer.progress();
  // What is read in a moment needs no panel that flashes up.
  if (progress.seconds < 0.15) return;
  beginCard("##import", view, scaled(420));
  heading(fmt::format("Reading {}", progress.name).c_str());
  // Most readers do not know how far they are.
  if (progress.fraction > 0.0f)
    ImGui::ProgressBar(progress.fraction, {-1.0f, scaled(8)}, "");
  else
    busyBar(progress.seconds);
  faintText(fmt::format("{}  {:.1f} s", progress.what, progress.seconds));
  ImGui::Spacing();
  const bool cancelled = ImGui::Button("Cancel", {scaled(110), 0});
  endCard();
  if (cancelled && beside) cancelSideModels(session);
  if (cancelled && !beside) cancelImport(session);
}

void failurePanel(Session& session, Ui& ui, const Rect& view) {
  if (!session.imports.failure) return;
  const MessageParts parts = splitMessage(session.imports.failure->message);
  beginCard("##failure", view, scaled(520));
  ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
  heading("This file could not be opened");
  ImGui::PopStyleColor();
  if (!parts.file.empty()) faintText(parts.file);
  ImGui::Spacing();
  textInLines(parts.what);
  if (!parts.remedy.empty()) {
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, accentColor());
    textInLines(parts.remedy);
    ImGui::PopStyleColor();
  }
  ImGui::Spacing();
  const float width = scaled(110);
  const bool again = button("Try again", width);
  besideIfRoom(width);
  const bool other = button("Open another", width);
  besideIfRoom(width);
  const bool close = button("Close", width);
  besideIfRoom(width);
  if (button("Copy", width)) ImGui::SetClipboardText(session.imports.failure->message.c_str());
  endCard();
  if (again) reloadModel(session);
  if (other) openBrowser(ui, Browse::model);
  if (other || close) session.imports.failure.reset();
}

} // namespace sinew
