// Baking for an engine: what is chosen, how far it is, and the error over the number of helpers.

#include "core/text.h"
#include "editor/baking.h"
#include "editor/document/views.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void wholeNumber(const char* name, std::uint32_t& value, int low, int high, const char* help) {
  auto number = static_cast<float>(value);
  if (namedSlider(name, &number, static_cast<float>(low), static_cast<float>(high), "%.0f"))
    value = static_cast<std::uint32_t>(std::lround(number));
  itemHelp(help);
}

void choices(BakeState& bake) {
  BakeOptions& options = bake.options.bake;
  checkbox("As many helpers as it takes", &bake.automatic);
  itemHelp("one helper joint after another, until the largest error is below the tolerance");
  if (bake.automatic) {
    float percent = 100.0f * options.tolerance;
    if (namedSlider("tolerance", &percent, 0.01f, 5.0f, "%.2f %%"))
      options.tolerance = percent / 100.0f;
    itemHelp("of the model's size; a tenth of it in the mean");
  } else {
    auto helpers = static_cast<std::uint32_t>(bake.helpers);
    wholeNumber("helpers", helpers, 0, 40, "the most helper joints to add");
    bake.helpers = static_cast<int>(helpers);
  }
  wholeNumber("helpers per joint", options.perJoint, 1, 8, "the most helper joints of one joint");
  wholeNumber("influences", options.influences, 1, static_cast<int>(kBakeInfluences),
              "weights per vertex that the engine supports");
  wholeNumber(
      "corrective shapes", options.morphs, 0, 64,
      "the most morph targets for the error that helpers leave, with weights in every clip");
  checkbox("Helpers may scale", &options.scale);
  itemHelp("by one factor in all directions; not every engine supports this");
  checkbox("Beyond the clips", &options.poses.sweep);
  itemHelp(
      "fit joints bent by up to 135 and twisted by up to 180 degrees, not only the range of the "
      "clips");
  checkbox("Drivers", &bake.options.drivers);
  itemHelp("save drivers beside the model: they move helpers and shapes in poses that no clip has");
}

void errorRow(const char* name, const BakeError& error, const Model& model) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  textInLines(name);
  ImGui::TableNextColumn();
  ImGui::Text("%.3f %%", 100.0 * error.mean);
  ImGui::TableNextColumn();
  ImGui::Text("%.2f %%", 100.0 * error.largest);
  if (error.node < model.hierarchy.nodes.size())
    itemHelp(fmt::format("{}, {}", model.hierarchy.nodes[error.node].name, error.pose).c_str());
}

// The largest error over the helpers, by its logarithm; what the mouse is over is told.
void curve(const std::vector<BakeStep>& steps) {
  const ImVec2 size{ImGui::GetContentRegionAvail().x, scaled(90)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  ImDrawList& lines = *ImGui::GetWindowDrawList();
  lines.AddRect(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(ImGuiCol_Border));
  const auto toLogarithm = [](const BakeStep& step) {
    return std::log10(std::max(step.error.largest, 1e-7));
  };
  double low = toLogarithm(steps.front()), high = low;
  for (const BakeStep& step : steps) {
    low = std::min(low, toLogarithm(step));
    high = std::max(high, toLogarithm(step));
  }
  const float inset = scaled(6);
  const auto whole = static_cast<float>(std::max<std::size_t>(steps.size() - 1, 1));
  std::vector<ImVec2> points;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double share = high > low ? (high - toLogarithm(steps[i])) / (high - low) : 0.5;
    points.emplace_back(at.x + inset + (size.x - 2 * inset) * static_cast<float>(i) / whole,
                        at.y + inset + (size.y - 2 * inset) * static_cast<float>(share));
  }
  const ImU32 color = ImGui::GetColorU32(accentColor());
  lines.AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, scaled(1.5f));
  for (const ImVec2& point : points)
    lines.AddCircleFilled(point, scaled(2.5f), color);
  if (!ImGui::IsItemHovered()) return;
  const float place = (ImGui::GetIO().MousePos.x - at.x - inset) / (size.x - 2 * inset);
  const auto nearest = static_cast<std::size_t>(std::clamp(place * whole + 0.5f, 0.0f, whole));
  const BakeStep& step = steps[std::min(nearest, steps.size() - 1)];
  const std::string added = counted(step.helpers, "helper") + ", " + counted(step.morphs, "shape");
  ImGui::SetTooltip("%s%s%s: mean %.3f %%, largest %.2f %%", added.c_str(),
                    step.joint.empty() ? "" : ", the last at ", step.joint.c_str(),
                    100.0 * step.error.mean, 100.0 * step.error.largest);
}

void results(Session& session, const BakeResultShown& last, Ui& ui) {
  const Document& document = session.document;
  section("Result");
  const Model& model = document.workbench.model;
  const std::string change = bakedChange(session);
  faintText(fmt::format("{} by linear blending: {}, {}, {:.1f} s{}{}", last.target.method->title,
                        counted(last.run.helpers, "helper"), counted(last.run.morphs, "shape"),
                        last.seconds, change.empty() ? "" : "; ", change));
  // Figures are never cut: names are wrapped in what they leave.
  if (ImGui::BeginTable("##errors", 3, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("error", ImGuiTableColumnFlags_WidthStretch);
    for (const char* title : {"mean", "largest"})
      ImGui::TableSetupColumn(title);
    ImGui::TableHeadersRow();
    errorRow("held out, linear", last.run.linear, model);
    errorRow("held out, baked", last.run.heldOut, model);
    if (last.run.helperDrivers) errorRow("held out, driven", last.run.helperDrivers->error, model);
    if (last.run.clips) {
      ErrorSum keys, between;
      for (const BakedClipErrors& clip : last.run.clipErrors) {
        keys.add(clip.atKeys, clip.keys);
        between.add(clip.between, clip.keys);
      }
      errorRow("clips, at keys", keys.result(), model);
      errorRow("clips, between keys", between.result(), model);
      if (last.run.helperDrivers && last.run.helperDrivers->clips)
        errorRow("clips, driven", *last.run.helperDrivers->clips, model);
    }
    ImGui::EndTable();
  }
  if (last.run.curve.size() > 1) {
    faintText(last.run.morphs > 0 ? "largest error over helpers, then shapes"
                                  : "largest error over the number of helpers");
    curve(last.run.curve);
  }
  const bool same = bakedFits(session);
  const char* help = same
                         ? "three views beside each other, coloured by the distance from the target"
                         : "the model has changed: bake it again";
  if (wideButton("Linear, target and baked", help, same, 0, 1)) showBaked(session);
  const std::string save = fmt::format("the baked model as .glb, and its drivers beside it{}{}",
                                       change.empty() ? "" : "; ", change);
  if (wideButton("Save as...", save.c_str(), true, 0, 1)) ui.saving = SaveKind::baked;
}

} // namespace

void bakeTab(Session& session, Ui& ui) {
  const Document& document = session.document;
  BakeState& bake = session.bake;
  faintText("Converts the active view's method to linear blending with helper joints, for every "
            "engine.");
  const bool running = bake.job->running();
  ImGui::BeginDisabled(running);
  choices(bake);
  ImGui::EndDisabled();
  ImGui::Spacing();
  if (running) {
    const auto status = bake.job->progress();
    ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
    faintText(fmt::format("{}  {:.1f} s", status.what, status.seconds));
    if (wideButton("Cancel", "discards the result  Escape", true, 0, 1)) cancelBaking(bake);
    return;
  }
  const std::string problem = bakingProblem(session);
  const std::string name =
      hasModel(document) ? fmt::format("Bake {}", activeChoice(document).method->title) : "Bake";
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool start =
      wideButton(name.c_str(), problem.empty() ? "all clips, in the background" : problem.c_str(),
                 problem.empty(), 0, 1);
  ImGui::PopStyleColor();
  if (start) startBaking(session);
  if (!bake.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    textInLines(bake.problem);
    ImGui::PopStyleColor();
  }
  if (bake.last) results(session, *bake.last, ui);
}

} // namespace sinew
