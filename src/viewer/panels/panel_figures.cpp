// The papers' figures: a list of all; a click makes one in the background and shows it, with what
// the paper says and what was measured.

#include "editor/figure_shelf.h"
#include "editor/session.h"
#include "figures/figures.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kFiguresTitle = "Papers' figures";

void figureList(FigureShelf& shelf) {
  std::string_view paper;
  const std::string making = shelf.job->running() ? shelf.job->progress().name : shelf.seen.name;
  for (const Figure& figure : figures()) {
    if (figure.paper != paper) {
      paper = figure.paper;
      ImGui::Spacing();
      faintText(std::string(paper));
    }
    const std::string name(figure.name);
    const std::string title =
        shortenedText(std::string(figure.title), ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(fmt::format("{}##{}", title, name).c_str(), making == name))
      wantFigure(shelf, name);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s\nsinew figure %s -o FOLDER", std::string(figure.title).c_str(),
                        name.c_str());
  }
}

void statement(const char* who, const std::string& text) {
  if (text.empty()) return;
  heading(who);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::Spacing();
}

void shownFigure(FigureShelf& shelf, const Graphics& graphics) {
  if (shelf.job->running()) {
    const auto status = shelf.job->progress();
    ImGui::Text("%s is being made: %.0f s", status.name.c_str(), status.seconds);
    faintText("Figures that measure time take a minute or more.");
    if (ImGui::Button("Stop")) shelf.job->cancel();
    return;
  }
  if (!shelf.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    ImGui::TextWrapped("%s", shelf.problem.c_str());
    ImGui::PopStyleColor();
    return;
  }
  const FigureSeen& seen = shelf.seen;
  if (seen.name.empty()) return faintText("Click a figure: it is made here, on this machine.");
  statement("The paper says", seen.says);
  statement("Measured here", seen.measured);
  if (graphics.figureName != seen.name) return; // uploaded with the next frame
  const float wide = ImGui::GetContentRegionAvail().x;
  for (const ShownPicture& picture : graphics.figure) {
    const float scale = std::min(wide / picture.width, 1.0f);
    const auto texture = static_cast<std::uintptr_t>(picture.texture.name());
    // Dear ImGui's OpenGL backend takes names as pointers.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    ImGui::Image(reinterpret_cast<ImTextureID>(texture),
                 {scale * picture.width, scale * picture.height});
  }
}

} // namespace

void figuresPanel(Session& session, Ui& ui, const Graphics& graphics) {
  if (std::exchange(ui.figures, false)) ImGui::OpenPopup(kFiguresTitle);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({0.92f * display.x, 0.9f * display.y});
  bool open = true;
  if (!ImGui::BeginPopupModal(kFiguresTitle, &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return;
  ImGui::BeginChild("##figures", {std::min(scaled(330), 0.4f * display.x), 0}, true);
  figureList(session.figures);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##figure");
  shownFigure(session.figures, graphics);
  ImGui::EndChild();
  ImGui::EndPopup();
}

} // namespace sinew
