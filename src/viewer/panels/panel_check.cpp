// Where the character breaks: the line in the picture, the worst moments of its joints with a bar
// for every method, and what repairs one of them.

#include "check/check_text.h"
#include "core/text.h"
#include "editor/checking.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr std::size_t kShownWithoutFault = 5;
constexpr double kHelps = 0.95; // a repair helps if it leaves less than this share of the severity

// A bar as long as the severity. The mark at two fifths is a severity of 1. Shorter is better.
void drawSeverity(float from, float y, float room, double severity) {
  const float line = ImGui::GetTextLineHeight();
  const auto share = static_cast<float>(std::clamp(severity / 2.5, 0.0, 1.0));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float top = y + 0.2f * line, bottom = y + 0.8f * line;
  draw.AddRectFilled({from, top}, {from + room, bottom}, ImGui::GetColorU32(ImGuiCol_FrameBg));
  const ImU32 color = ImGui::GetColorU32(severity >= 1.0 ? errorColor() : accentColor());
  draw.AddRectFilled({from, top}, {from + std::max(1.0f, share * room), bottom}, color);
  draw.AddLine({from + 0.4f * room, top}, {from + 0.4f * room, bottom},
               ImGui::GetColorU32(ImGuiCol_TextDisabled));
}

// Where a row of the list of methods has its bar and its figure, from the row's left end.
struct MethodRow {
  float bar, barWidth, figure;
};

// Names and figures take what they need of the width, and at least a fifth is the bar's.
MethodRow layOut(const JointFault& fault, float width) {
  float name = 0.0f, figure = 0.0f;
  ImGui::PushFont(boldFont());
  for (const MethodShape& each : fault.methods)
    name = std::max(name, ImGui::CalcTextSize(std::string(each.method->shortTitle).c_str()).x);
  ImGui::PopFont();
  for (const MethodShape& each : fault.methods)
    figure = std::max(figure, ImGui::CalcTextSize(figureText(*fault.kind, each.shape).c_str()).x);
  const float gap = scaled(8);
  const float end = width - figure;
  const float bar = std::clamp(std::max(name + gap, 0.46f * width), 0.0f, 0.8f * end);
  return {bar, end - gap - bar, end};
}

void methodBar(const Method& method, double severity, const std::string& figure, bool strong,
               const MethodRow& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float left = ImGui::GetCursorPosX();
  drawSeverity(at.x + row.bar, at.y, row.barWidth, severity);
  if (strong) ImGui::PushFont(boldFont());
  const std::string name(method.shortTitle);
  ImGui::TextUnformatted(shortenedText(name, row.bar).c_str());
  if (strong) ImGui::PopFont();
  itemHelp(std::string(method.title).c_str());
  ImGui::SameLine(left + row.figure);
  ImGui::TextUnformatted(figure.c_str());
}

void methodBars(const JointFault& fault) {
  const MethodRow row = layOut(fault, ImGui::GetContentRegionAvail().x);
  for (std::size_t i = 0; i < fault.methods.size(); ++i) {
    const MethodShape& each = fault.methods[i];
    methodBar(*each.method, each.severity, figureText(*fault.kind, each.shape), fault.best == i,
              row);
  }
  faintText(fmt::format("Percent: {}. A longer bar is worse; a fault begins at its mark.",
                        fault.kind->measure));
}

// What it is above; below, the bar, the figure and the button.
bool repairRow(const JointRepair& repair, const std::string& figure, bool strong, bool applied) {
  ImGui::BeginGroup();
  if (strong) ImGui::PushFont(boldFont());
  textInLines(capitalised(repair.text));
  if (strong) ImGui::PopFont();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float apply = std::max(0.3f * width, buttonWidth("Applied"));
  const float left = ImGui::GetCursorPosX();
  const float words = ImGui::CalcTextSize(figure.c_str()).x + 2.0f * scaled(8);
  const float bar = std::clamp(width - apply - words, 0.0f, 0.5f * width);
  drawSeverity(at.x, at.y + ImGui::GetStyle().FramePadding.y, bar, repair.severity);
  ImGui::SetCursorPosX(left + bar + scaled(8));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(figure.c_str());
  ImGui::SameLine(width - apply); // from the left end of the group
  ImGui::BeginDisabled(applied);
  const bool pressed = button(applied ? "Applied" : "Apply", apply);
  ImGui::EndDisabled();
  itemHelp("one step; Ctrl+Z undoes it");
  if (!repair.worsened.empty()) faintText("It makes another joint worse: " + repair.worsened + ".");
  ImGui::EndGroup();
  return pressed;
}

void repairs(Session& session, const JointFault& fault) {
  const CheckState& check = session.check;
  section("Fix this joint");
  if (check.repairJob->running()) return faintText("Measuring the repairs...");
  const auto helps = [&](const JointRepair& repair) {
    return repair.severity < kHelps * fault.severity;
  };
  if (std::ranges::any_of(check.repairs, helps))
    faintText("Point at a repair to see it in the picture.");
  else if (!check.repairs.empty())
    faintText("No repair helps here by itself: change the weights, or the pose.");
  std::string useless;
  for (std::size_t i = 0; i < check.repairs.size(); ++i) {
    const JointRepair repair = check.repairs[i]; // applying it forgets the list
    const std::string figure = figureText(*fault.kind, repair.shape);
    if (!helps(repair)) {
      useless += fmt::format(
          "{}{} ({})", useless.empty() ? "" : ", ", repair.text,
          repair.worsened.empty() ? figure : "makes another joint worse: " + repair.worsened);
      continue;
    }
    ImGui::PushID(static_cast<int>(i));
    const bool applied = isApplied(session.document, fault, repair);
    const bool pressed = repairRow(repair, figure, i == 0, applied);
    if (!applied && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
      session.check.pointedAt = i;
    if (pressed) applyRepair(session, repair);
    ImGui::PopID();
    if (check.repairs.empty()) return;
  }
  if (!useless.empty()) faintText("Does not help: " + useless + ".");
}

void bakeButton(Session& session, Ui& ui) {
  if (!wideButton("Bake for your engine",
                  "the active view's method, as linear blending with helper joints; the result "
                  "beside the target",
                  true, 0, 1))
    return;
  startBaking(session);
  showTab(session.document, ui, SideTab::bake);
}

void faults(Session& session, Ui& ui) {
  const std::shared_ptr<const Check> check = currentCheck(session);
  const Model& model = session.document.workbench.model;
  const std::size_t count = faultCount(*check);
  faintText(fmt::format("{}; {}; {:.1f} s", capitalised(countText(*check)), describeScope(*check),
                        check->seconds));
  if (check->joints.empty()) return;
  section("Worst moments");
  const std::size_t shown = std::min(check->joints.size(), std::max(count, kShownWithoutFault));
  for (std::size_t i = 0; i < shown; ++i) {
    const JointFault& fault = check->joints[i];
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = session.check.chosen == i;
    if (chosen) ImGui::PushFont(boldFont());
    textInLines(describeFault(model, fault));
    if (chosen) ImGui::PopFont();
    itemHelp(fmt::format("{}: {}", fault.name, bestText(fault)).c_str());
    if (wideButton("Show", "linear blending left of the divider, the best method right of it", true,
                   0, 2))
      showFault(session, i);
    if (chosen) {
      methodBars(fault);
      repairs(session, fault);
      bakeButton(session, ui);
    }
    ImGui::PopID();
    if (currentCheck(session) != check) return; // applied
  }
}

} // namespace

void checkTab(Session& session, Ui& ui) {
  faintText("Where the character breaks by linear blending, as engines show it.");
  const CheckState& state = session.check;
  if (state.job->running()) {
    const auto status = state.job->progress();
    ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
    faintText(fmt::format("{}  {:.1f} s", status.what, status.seconds));
    if (wideButton("Cancel", "discards the result  Escape", true, 0, 1))
      session.check.job->cancel();
    return;
  }
  const std::string problem = checkProblem(session.document);
  if (wideButton("Check this character",
                 problem.empty() ? "all clips, in the background" : problem.c_str(),
                 problem.empty(), 0, 1))
    startChecking(session);
  if (!state.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    textInLines(state.problem);
    ImGui::PopStyleColor();
  }
  if (currentCheck(session)) faults(session, ui);
}

float checkLinePanel(Session& session, Ui& ui, const Rect& view) {
  const std::string line = checkLine(session);
  if (line.empty() || session.check.chosen) return 0.0f;
  ImGui::SetNextWindowPos({view.x, view.y + view.height}, ImGuiCond_Always, {0.0f, 1.0f});
  ImGui::SetNextWindowSize({view.width, 0.0f});
  ImGui::Begin("##checkLine", nullptr,
               panelFlags() | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::AlignTextToFramePadding();
  const float buttons = buttonWidth("Show") + buttonWidth("All") + buttonWidth("\xc3\x97") +
                        3.0f * ImGui::GetStyle().ItemSpacing.x;
  const float room = std::max(ImGui::GetContentRegionAvail().x - buttons, scaled(80));
  ImGui::TextUnformatted(wrappedText(line, room).c_str());
  ImGui::SameLine();
  const bool show = ImGui::Button("Show");
  ImGui::SameLine();
  const bool list = ImGui::Button("All");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("the list of worst moments");
  ImGui::SameLine();
  if (ImGui::Button("\xc3\x97")) session.check.lineClosed = true;
  const float height = ImGui::GetWindowHeight();
  ImGui::End();
  if (show) showFault(session, 0);
  if (show || list) showTab(session.document, ui, SideTab::check);
  return height;
}

} // namespace sinew
