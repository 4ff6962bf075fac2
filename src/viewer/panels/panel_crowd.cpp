// What the crowd costs by each method, at the picture's upper left.

#include "app/method_list.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "skinning/method.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <string>

namespace sinew {
namespace {

// Name, time and how many times the cheapest; a click shows it.
void costRow(Document& document, const MethodCost& cost, double cheapest) {
  const bool active = activeChoice(document).method == cost.method;
  const std::string title(cost.method->title);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (ImGui::Selectable(title.c_str(), active, ImGuiSelectableFlags_SpanAllColumns))
    setActiveChoice(document, {cost.method});
  itemHelp("shows the crowd by this method");
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(fmt::format("{:.1f} ms", cost.milliseconds).c_str());
  ImGui::TableNextColumn();
  ImGui::TextColored(faintColor(), "%s",
                     fmt::format("{:.2f} x", cost.milliseconds / cheapest).c_str());
}

} // namespace

void crowdPanel(Session& session, const Rect& view) {
  Document& document = session.document;
  CrowdCosts& costs = session.crowdCosts;
  const bool running = costs.job->running();
  const bool any = running || !costs.costs.empty() || !costs.problem.empty();
  if (!document.crowd || !any || costs.closed) return;
  ImGui::SetNextWindowPos({view.x + scaled(10), view.y + scaled(10)});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {0.9f * view.width, 0.95f * view.height});
  ImGui::Begin("##crowd", nullptr,
               panelFlags() | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  heading(fmt::format("A frame of {} characters", document.crowd->members.size()).c_str());
  ImGui::SameLine();
  const bool close = ImGui::SmallButton("\xc3\x97");
  if (running)
    faintText(fmt::format("Measuring every method, one after the other: {:.0f} s",
                          costs.job->progress().seconds));
  if (!costs.problem.empty()) faintText(costs.problem);
  if (!costs.costs.empty() && ImGui::BeginTable("##costs", 3, ImGuiTableFlags_SizingFixedFit)) {
    for (const MethodCost& cost : costs.costs)
      costRow(document, cost, costs.costs.front().milliseconds);
    ImGui::EndTable();
  }
  ImGui::End();
  if (close && running)
    forgetCrowdCosts(session);
  else if (close)
    costs.closed = true;
}

} // namespace sinew
