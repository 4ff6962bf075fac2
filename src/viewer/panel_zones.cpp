// The zone of the selected joint: where along its bone the joint's movement grows, and where a
// vertex takes its share of it from.

#include "app/method_list.h"
#include "skinning/joint_binding.h"
#include "skinning/methods.h"
#include "viewer/file_browser.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

bool anyViewHasZones(const Viewer& viewer) {
  const auto hasZones = [](const BoundMethod& bound) {
    const auto& parameters = bound.method->parameters;
    return std::any_of(parameters.begin(), parameters.end(), [](const Parameter& parameter) {
      return parameter.name == kJointParameters[0].name;
    });
  };
  return std::any_of(viewer.bench.bound.begin(), viewer.bench.bound.end(), hasZones);
}

void sourceChoice(Viewer& viewer) {
  JointZone said = saidOfSelected(viewer);
  const auto before = said.source;
  ImGui::TextUnformatted("Share of the movement");
  ImGui::SetNextItemWidth(-1.0f);
  const std::string now = said.source ? std::string(wordOf(*said.source)) : "as the method says";
  if (ImGui::BeginCombo("##source", now.c_str())) {
    if (ImGui::Selectable("as the method says", !said.source)) said.source.reset();
    for (const ParameterSource source : {ParameterSource::weights, ParameterSource::zone})
      if (ImGui::Selectable(std::string(wordOf(source)).c_str(), said.source == source))
        said.source = source;
    ImGui::EndCombo();
  }
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("from the artist's bone weights, or from the distance along the bone within "
                      "the zone");
  if (said.source == before) return;
  sayOfSelected(viewer, said);
  commitEdit(viewer, "Source of a zone");
}

void endSlider(Viewer& viewer, const ZoneShape& shape, bool low) {
  JointZone said = saidOfSelected(viewer);
  std::optional<float>& end = low ? said.min : said.max;
  const float bone = low ? shape.axis.parentLength : shape.axis.length;
  const float now = low ? shape.zone.min : shape.zone.max;
  const float reach = std::max(bone, std::abs(now)); // a file may say more than the bone's length
  float value = now;
  ImGui::PushID(low ? 0 : 1);
  const bool changed = namedSlider(low ? "begins" : "ends", &value, low ? -reach : 0.01f * bone,
                                   low ? -0.01f * bone : reach, "%.4g");
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  ImGui::BeginDisabled(!end);
  const bool fitted = ImGui::SmallButton("as fitted");
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("fitted to the artist's weights");
  if (changed) end = value;
  if (fitted) end.reset();
  if (changed || fitted) sayOfSelected(viewer, said);
  if (done || fitted) commitEdit(viewer, "Zone");
  ImGui::PopID();
}

void joint(Viewer& viewer) {
  const ZoneShape* shape = selectedZone(viewer);
  heading(viewer.bench.model.hierarchy.nodes[*viewer.selected].name.c_str());
  if (shape == nullptr) {
    faintText("This joint turns against no other, so it has no zone.");
    return;
  }
  const ZoneShape seen = *shape; // the sliders change what it is made from
  ImGui::TextUnformatted("Its movement, along the bone");
  endSlider(viewer, seen, true);
  endSlider(viewer, seen, false);
  faintText(fmt::format("The bone is {:.4g} long, its parent's {:.4g}.", seen.axis.length,
                        seen.axis.parentLength));
  ImGui::Spacing();
  sourceChoice(viewer);
}

} // namespace

void zoneTab(Viewer& viewer) {
  if (!hasModel(viewer) || viewer.crowd) {
    faintText("No single model to edit.");
    return;
  }
  if (viewer.selected)
    joint(viewer);
  else
    faintText("Click a bone in the picture or a joint in the list: rings show where its movement "
              "begins and where it is complete. Drag them along the bone.");
  if (!anyViewHasZones(viewer)) {
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, warningColor());
    ImGui::TextWrapped("No method on show has zones; bones blending and the splines have.");
    ImGui::PopStyleColor();
  }
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  undoButtons(viewer);
  if (ImGui::Button("Save zones", {-1.0f, 0})) saveZones(viewer);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("beside the model, where they are read with it  Ctrl+Shift+S");
  if (ImGui::Button("Open zones...", {-1.0f, 0})) openBrowser(viewer, Browse::edits);
  const std::size_t said = viewer.edit.history.now().zones.size();
  faintText(fmt::format(
      "{} joint{} with a zone of {} own{}", said, said == 1 ? "" : "s", said == 1 ? "its" : "their",
      viewer.bench.zones.path.empty() ? "" : ", from " + viewer.bench.zones.path));
}

} // namespace sinew
