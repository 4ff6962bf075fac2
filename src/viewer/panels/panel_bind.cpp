// How a mesh is bound, and the result.

#include "editor/bind/binding.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"
#include "weights/weight_report.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

namespace sinew {
namespace {

void algorithmControls(BindState& bind) {
  WeightOptions& options = bind.options;
  section("Weights");
  ImGui::BeginDisabled(binding(bind));
  const auto choose = [&](WeightAlgorithm algorithm, const char* text) {
    if (ImGui::RadioButton(std::string(titleOf(algorithm)).c_str(), options.algorithm == algorithm))
      options.algorithm = algorithm;
    itemHelp(text);
  };
  choose(WeightAlgorithm::boneGlow,
         "a vertex belongs to every bone whose light falls on the inner side of its surface "
         "(Wareham and Lasenby 2008)");
  ImGui::SameLine(0.5f * ImGui::GetContentRegionAvail().x);
  choose(WeightAlgorithm::boneHeat,
         "a vertex belongs to its nearest visible bone (Baran and Popovic 2007)");
  auto limit = static_cast<int>(options.influences);
  ImGui::SetNextItemWidth(scaled(110));
  if (ImGui::InputInt("joints a vertex", &limit))
    options.influences = static_cast<std::uint32_t>(std::clamp(limit, 0, 64));
  itemHelp("number of largest weights kept; 0 keeps all. Rendering uses 4, 8 or 12, see Settings");
  ImGui::Checkbox("Spread over the surface", &options.diffusion);
  itemHelp("diffusion that smooths the weights; without it the initial weights are used");
  const bool glow = options.algorithm == WeightAlgorithm::boneGlow;
  ImGui::BeginDisabled(!glow);
  auto steps = static_cast<int>(options.glowSteps);
  ImGui::SetNextItemWidth(scaled(110));
  if (ImGui::InputInt("glow steps", &steps, 10, 100))
    options.glowSteps = static_cast<std::uint32_t>(std::clamp(steps, 0, 100000));
  itemHelp("bone glow: sum a bone's light at this many points, as in the paper; 0: exact integral");
  ImGui::EndDisabled();
  ImGui::EndDisabled();
}

void progress(Document& document, BindState& bind) {
  const auto status = bind.job->progress();
  ImGui::Spacing();
  ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
  faintText(
      fmt::format("{}  {:.1f} s", status.what.empty() ? status.name : status.what, status.seconds));
  if (wideButton("Cancel", "nothing changes  Escape", true, 0, 1)) cancelBinding(document, bind);
}

void bindButtons(Document& document, BindState& bind) {
  if (binding(bind)) return progress(document, bind);
  const bool joints = draftOf(document) != nullptr || !document.joints.empty();
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool start = wideButton(
      "Bind", joints ? "compute weights, as one undo step  Ctrl+B" : "choose a skeleton first",
      joints, 0);
  ImGui::PopStyleColor();
  if (start) startBinding(document, bind);
  if (wideButton("Compare both", "bone heat on the left, bone glow on the right  Ctrl+Shift+B",
                 joints, 1))
    startComparing(document, bind);
}

void comparedWeights(Document& document, BindState& bind) {
  auto& compared = bind.compared;
  if (!compared || draftOf(document) != compared->draft || binding(bind)) return;
  section("Bone heat and bone glow");
  const WeightDifference& difference = compared->difference;
  faintText(fmt::format("They differ by {:.4f} in the mean and {:.3f} at most (L1 a vertex, of 2).",
                        difference.mean, difference.largest));
  const auto& joints = compared->draft->skeleton.joints;
  const auto found = document.selected ? std::find(joints.begin(), joints.end(), *document.selected)
                                       : joints.end();
  const auto joint = static_cast<std::size_t>(found - joints.begin());
  if (joint < difference.joints.size())
    faintText(fmt::format("Part of this joint in the mean: {:.4f}", difference.joints[joint]));
  for (const BoundWeights& set : compared->sets)
    faintText(fmt::format("{}: {:.2f} s", titleOf(set.algorithm), set.weights.report.seconds));
  bool shown = compared->shown;
  if (ImGui::Checkbox("Weights side by side", &shown)) showCompared(document, bind, shown);
  itemHelp("of the selected joint, in two views; without it the skeleton can be edited again");
  if (comparing(document, bind)) {
    visitSettings(document.settings, [&](const OptionInfo& info, auto& value) {
      if (info.name == "colormap") control(info, value);
    });
    colorScale(document.settings);
  }
  const bool heat = wideButton("Keep bone heat", "bind by these weights", true, 0);
  const bool glow = wideButton("Keep bone glow", "bind by these weights", true, 1);
  if (heat || glow) keepCompared(document, bind, glow ? 1 : 0);
}

void report(Document& document, BindState& bind) {
  if (!bind.last || document.history.now().model != bind.lastModel) return;
  const WeightReport& report = bind.last->weights.report;
  section("The last binding");
  faintText(fmt::format("{}, {:.2f} s: rays {:.2f}, factorisation {:.2f}, spreading {:.2f}",
                        titleOf(bind.last->algorithm), report.seconds, report.visibilitySeconds,
                        report.factorSeconds, report.solveSeconds));
  faintText(fmt::format("Weight cut off a vertex: {:.4f} at most, {:.5f} in the mean",
                        report.largestCut, report.meanCut));
  const std::vector<std::string> lines = odditiesOf(report);
  if (lines.empty()) faintText("Nothing had to be repaired; every vertex sees a bone.");
  for (const std::string& line : lines) {
    ImGui::Bullet();
    ImGui::TextWrapped("%s", line.c_str());
  }
  if (wideButton("Save as .glb", "mesh, skeleton, weights, clips and textures  Ctrl+E",
                 !drafting(document), 0, 1))
    saveModel(document);
}

} // namespace

void bindTab(Document& document, BindState& bind, Ui& ui) {
  if (!bindable(document)) {
    faintText("No single mesh to bind.");
    return;
  }
  if (!bind.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    ImGui::TextWrapped("%s", bind.problem.c_str());
    ImGui::PopStyleColor();
    ImGui::Spacing();
  }
  skeletonControls(document, bind, ui);
  if (comparing(document, bind)) {
    comparedWeights(document, bind);
  } else {
    algorithmControls(bind);
    bindButtons(document, bind);
    comparedWeights(document, bind);
  }
  report(document, bind);
  ImGui::Spacing();
  ImGui::BeginDisabled(binding(bind));
  undoButtons(document);
  ImGui::EndDisabled();
}

} // namespace sinew
