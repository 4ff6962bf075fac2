// The papers' figures: a list of all; a click makes one in the background and shows it, with what
// the paper says and what was measured.

#include "editor/figure_list.h"
#include "editor/session.h"
#include "tools/figures/figures.h"
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

// A row of the list: small picture and title, either of which is clicked.
bool figureRow(const Figure& figure, const Graphics& graphics, bool chosen) {
  const std::string name(figure.name);
  const ImVec2 at = ImGui::GetCursorPos();
  const auto small = graphics.thumbnails.find(name);
  const float wide = scaled(84), high = scaled(56), gap = scaled(8);
  const bool clicked = ImGui::Selectable(fmt::format("##{}", name).c_str(), chosen, 0, {0, high});
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s\nsinew figure %s -o FOLDER", std::string(figure.title).c_str(),
                      name.c_str());
  const ImVec2 after = ImGui::GetCursorPos();
  ImGui::SetCursorPos(at);
  if (small != graphics.thumbnails.end()) showPicture(small->second, wide);
  ImGui::SetCursorPos({at.x + wide + gap, at.y});
  ImGui::PushTextWrapPos(at.x + wide + gap + ImGui::GetContentRegionAvail().x);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushClipRect(corner, {corner.x + ImGui::GetContentRegionAvail().x, corner.y + high}, true);
  ImGui::TextUnformatted(figure.title.data(), figure.title.data() + figure.title.size());
  ImGui::PopClipRect();
  ImGui::PopTextWrapPos();
  ImGui::SetCursorPos(after);
  return clicked;
}

void figureList(FigureList& list, const Graphics& graphics) {
  std::string_view paper;
  const std::string making = list.job->running() ? list.job->progress().name : list.seen.name;
  for (const Figure& figure : figures()) {
    if (figure.paper != paper) {
      paper = figure.paper;
      ImGui::Spacing();
      faintText(std::string(paper));
    }
    if (figureRow(figure, graphics, making == figure.name))
      startFigure(list, std::string(figure.name));
  }
}

void statement(const char* who, const std::string& text) {
  if (text.empty()) return;
  heading(who);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::Spacing();
}

void shownFigure(FigureList& list, const Graphics& graphics) {
  if (list.job->running()) {
    const auto status = list.job->progress();
    ImGui::Text("Reproducing %s: %.0f s", status.name.c_str(), status.seconds);
    faintText("Figures that measure time take a minute or more.");
    if (ImGui::Button("Stop")) list.job->cancel();
    return;
  }
  if (!list.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    ImGui::TextWrapped("%s", list.problem.c_str());
    ImGui::PopStyleColor();
    return;
  }
  const ShownFigure& seen = list.seen;
  if (seen.name.empty()) return faintText("Click a figure to reproduce it on this machine.");
  statement("The paper says", seen.says);
  statement("Measured here", seen.measured);
  if (graphics.figureName != seen.name) return; // uploaded with the next frame
  const float wide = ImGui::GetContentRegionAvail().x;
  for (const ShownPicture& picture : graphics.figure)
    showPicture(picture, std::min(wide, picture.width));
}

} // namespace

void figuresPanel(Session& session, Ui& ui, const Graphics& graphics) {
  if (std::exchange(ui.figures, false)) {
    ui.thumbnails = true;
    ImGui::OpenPopup(kFiguresTitle);
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({0.92f * display.x, 0.9f * display.y});
  bool open = true;
  if (!ImGui::BeginPopupModal(kFiguresTitle, &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
    return;
  ImGui::BeginChild("##figures", {std::min(scaled(330), 0.4f * display.x), 0}, true);
  figureList(session.figures, graphics);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##figure");
  shownFigure(session.figures, graphics);
  ImGui::EndChild();
  ImGui::EndPopup();
}

} // namespace sinew
