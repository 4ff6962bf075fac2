// The weights of the model's morph targets and expressions: a slider each, with search and reset.

#include "editor/file_list.h"
#include "editor/pose/editing.h"
#include "editor/session.h"
#include "model/morph_targets.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

// A slider from 0 to 1, or up to the weight itself if it is outside.
void weightSlider(Document& document, std::uint32_t target, const std::string& label,
                  float weight) {
  const float rest = document.workbench.model.morphTargets[target].weight;
  const float low = std::floor(std::min({0.0f, weight, rest}));
  const float high = std::ceil(std::max({1.0f, weight, rest}));
  ImGui::PushID(static_cast<int>(target));
  ImGui::TextColored(weight != rest ? accentColor() : faintColor(), "%s", label.c_str());
  const float button = ImGui::GetFrameHeight();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
  if (ImGui::SliderFloat("##weight", &weight, low, high, "%.3f"))
    setMorphWeight(document, target, weight);
  if (ImGui::IsItemDeactivatedAfterEdit())
    commitEdit(document, fmt::format("Set the weight of {}", label));
  itemHelp("Ctrl+click to type any number");
  ImGui::SameLine();
  ImGui::BeginDisabled(weight == rest);
  if (ImGui::Button("\xc3\x97", {button, 0})) {
    setMorphWeight(document, target, rest);
    commitEdit(document, fmt::format("Reset the weight of {}", label));
  }
  ImGui::EndDisabled();
  itemHelp(fmt::format("back to {:g}, its rest weight", rest).c_str());
  ImGui::PopID();
}

// Named poses of several targets, as VRM files have them.
void poseSliders(Document& document, const Ui& ui) {
  const std::vector<MorphPose>& poses = document.workbench.model.morphPoses;
  bool any = false;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const MorphPose& pose = poses[i];
    if (!ui.morphSearch.empty() && !holdsWords(pose.name, ui.morphSearch)) continue;
    if (!std::exchange(any, true)) faintText("Expressions");
    float strength = shownMorphPose(document, pose);
    ImGui::PushID(&pose);
    ImGui::TextColored(strength != 0.0f ? accentColor() : faintColor(), "%s", pose.name.c_str());
    ImGui::SetNextItemWidth(-1.0f);
    bool on = shownStrength(pose, strength) > 0.0f;
    if (pose.binary && checkbox("on or off", &on)) setMorphPose(document, pose, on ? 1.0f : 0.0f);
    if (!pose.binary && ImGui::SliderFloat("##strength", &strength, 0.0f, 1.0f, "%.3f"))
      setMorphPose(document, pose, strength);
    if (ImGui::IsItemDeactivatedAfterEdit())
      commitEdit(document, fmt::format("Set the expression {}", pose.name));
    itemHelp("moves all of its morph targets");
    ImGui::PopID();
  }
  if (any) ImGui::Separator();
}

void sliders(Document& document, const Ui& ui) {
  const std::vector<std::string> labels = morphLabels(document.workbench.model);
  const MorphWeights weights = shownMorphWeights(document);
  bool any = false;
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    if (!ui.morphSearch.empty() && !holdsWords(labels[i], ui.morphSearch)) continue;
    any = true;
    weightSlider(document, i, labels[i], weights[i]);
  }
  if (!any) faintText("no morph target of that name");
}

} // namespace

void morphTab(Document& document, Ui& ui) {
  if (!hasModel(document) || document.crowd) {
    faintText("No single model to edit.");
    return;
  }
  if (holdsPose(document))
    ImGui::TextColored(accentColor(), "Editing a pose; playback pauses.");
  else
    faintText("Drag a slider to edit.");
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##search", "search", &ui.morphSearch);
  const bool changed = shownMorphWeights(document) != restWeights(document.workbench.model);
  if (wideButton("Reset all", "every weight to its rest value", changed, 0))
    resetMorphWeights(document);
  if (wideButton("Back to the clip", "discards the edited pose; undo restores it  Backspace",
                 holdsPose(document), 1))
    releasePose(document);
  undoButtons(document);
  ImGui::Separator();
  ImGui::BeginChild("##weights");
  poseSliders(document, ui);
  sliders(document, ui);
  ImGui::EndChild();
}

} // namespace sinew
