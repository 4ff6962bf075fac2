// What a mesh is bound by, and what came of it.

#include "viewer/bind.h"
#include "viewer/controls.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"
#include "weights/weight_report.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

namespace sinew {
namespace {

void algorithmControls(Viewer& viewer) {
  WeightOptions& options = viewer.bind.options;
  section("Weights");
  ImGui::BeginDisabled(binding(viewer));
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
  auto kept = static_cast<int>(options.influences);
  ImGui::SetNextItemWidth(scaled(110));
  if (ImGui::InputInt("joints a vertex", &kept))
    options.influences = static_cast<std::uint32_t>(std::clamp(kept, 0, 64));
  itemHelp("kept per vertex, the largest; 0 keeps all. Drawing keeps 4, 8 or 12, see Settings");
  ImGui::Checkbox("Spread over the surface", &options.diffusion);
  itemHelp("the diffusion that makes weights smooth; without it they are as the bones give them");
  const bool glow = options.algorithm == WeightAlgorithm::boneGlow;
  ImGui::BeginDisabled(!glow);
  auto steps = static_cast<int>(options.glowSteps);
  ImGui::SetNextItemWidth(scaled(110));
  if (ImGui::InputInt("glow steps", &steps, 10, 100))
    options.glowSteps = static_cast<std::uint32_t>(std::clamp(steps, 0, 100000));
  itemHelp(
      "bone glow: sum a bone's light at so many points, as the paper does; 0 integrates exactly");
  ImGui::EndDisabled();
  ImGui::EndDisabled();
}

void progress(Viewer& viewer) {
  const auto status = viewer.bind.job->progress();
  ImGui::Spacing();
  ImGui::ProgressBar(status.fraction, {-1.0f, scaled(10)}, "");
  faintText(
      fmt::format("{}  {:.1f} s", status.what.empty() ? status.name : status.what, status.seconds));
  if (wideButton("Cancel", "nothing changes  Escape", true, 0, 1)) cancelBinding(viewer);
}

void bindButtons(Viewer& viewer) {
  if (binding(viewer)) return progress(viewer);
  const bool joints = draftOf(viewer) != nullptr || !viewer.joints.empty();
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool bind = wideButton("Bind",
                               joints ? "make weights; one step that undo takes back  Ctrl+B"
                                      : "choose a skeleton first",
                               joints, 0);
  ImGui::PopStyleColor();
  if (bind) startBinding(viewer);
  if (wideButton("Compare both", "bone heat on the left, bone glow on the right  Ctrl+Shift+B",
                 joints, 1))
    startComparing(viewer);
}

void comparedWeights(Viewer& viewer) {
  auto& compared = viewer.bind.compared;
  if (!compared || draftOf(viewer) != compared->draft || binding(viewer)) return;
  section("Bone heat and bone glow");
  const WeightDifference& difference = compared->difference;
  faintText(fmt::format("They differ by {:.4f} in the mean and {:.3f} at most (L1 a vertex, of 2).",
                        difference.mean, difference.largest));
  const auto& joints = compared->draft->skeleton.joints;
  const auto found =
      viewer.selected ? std::find(joints.begin(), joints.end(), *viewer.selected) : joints.end();
  const auto joint = static_cast<std::size_t>(found - joints.begin());
  if (joint < difference.joints.size())
    faintText(fmt::format("Part of this joint in the mean: {:.4f}", difference.joints[joint]));
  for (const BoundWeights& set : compared->sets)
    faintText(fmt::format("{}: {:.2f} s", titleOf(set.algorithm), set.weights.report.seconds));
  bool shown = compared->shown;
  if (ImGui::Checkbox("Weights side by side", &shown)) showCompared(viewer, shown);
  itemHelp("of the selected joint, in two views; without it the skeleton can be edited again");
  if (comparing(viewer)) {
    visitSettings(viewer.settings, [&](const OptionInfo& info, auto& value) {
      if (info.name == "colormap") control(info, value);
    });
    colorScale(viewer.settings);
  }
  const bool heat = wideButton("Keep bone heat", "bind by these weights", true, 0);
  const bool glow = wideButton("Keep bone glow", "bind by these weights", true, 1);
  if (heat || glow) keepCompared(viewer, glow ? 1 : 0);
}

void report(Viewer& viewer) {
  if (!viewer.bind.last || viewer.edit.history.now().model != viewer.bind.lastModel) return;
  const WeightReport& report = viewer.bind.last->weights.report;
  section("The last binding");
  faintText(fmt::format("{}, {:.2f} s: rays {:.2f}, factorisation {:.2f}, spreading {:.2f}",
                        titleOf(viewer.bind.last->algorithm), report.seconds,
                        report.visibilitySeconds, report.factorSeconds, report.solveSeconds));
  faintText(fmt::format("Weight cut off a vertex: {:.4f} at most, {:.5f} in the mean",
                        report.largestCut, report.meanCut));
  const std::vector<std::string> lines = odditiesOf(report);
  if (lines.empty()) faintText("Nothing had to be repaired; every vertex sees a bone.");
  for (const std::string& line : lines) {
    ImGui::Bullet();
    ImGui::TextWrapped("%s", line.c_str());
  }
  if (wideButton("Save as .glb", "mesh, skeleton, weights, clips and textures  Ctrl+E",
                 !drafting(viewer), 0, 1))
    saveModel(viewer);
}

} // namespace

void bindTab(Viewer& viewer) {
  if (!bindable(viewer)) {
    faintText("No single mesh to bind.");
    return;
  }
  if (!viewer.bind.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, errorColor());
    ImGui::TextWrapped("%s", viewer.bind.problem.c_str());
    ImGui::PopStyleColor();
    ImGui::Spacing();
  }
  skeletonControls(viewer);
  if (comparing(viewer)) {
    comparedWeights(viewer);
  } else {
    algorithmControls(viewer);
    bindButtons(viewer);
    comparedWeights(viewer);
  }
  report(viewer);
  ImGui::Spacing();
  ImGui::BeginDisabled(binding(viewer));
  undoButtons(viewer);
  ImGui::EndDisabled();
}

} // namespace sinew
