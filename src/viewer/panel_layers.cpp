// The layers over the clip: a stack to add to, order, weigh and mask, and the parameters of the one
// that is chosen, generated from its fields.

#include "animation/layer_suggestion.h"
#include "viewer/file_browser.h"
#include "viewer/layer_fields.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>

namespace sinew {
namespace {

std::string nameOf(const Layer& layer) {
  return layer.name.empty() ? std::string(kindWord(layer.kind)) : layer.name;
}

// How the clip under the layers plays.
void base(Viewer& viewer) {
  Settings& settings = viewer.settings;
  visitSettings(settings, [](const OptionInfo& info, auto& value) {
    if (info.name != "root" && info.name != "fade") return;
    ImGui::BeginGroup();
    control(info, value);
    ImGui::EndGroup();
    tooltip(info);
  });
}

void add(Viewer& viewer, Layer layer) {
  Movement& movement = viewer.edit.history.live().movement;
  if (layer.name.empty())
    layer.name = fmt::format("{} {}", kindWord(layer.kind), movement.layers.size() + 1);
  movement.layers.push_back(std::move(layer));
  viewer.ui.layer = movement.layers.size() - 1;
  commitEdit(viewer, "Add a layer");
}

// Clips are layers by their names; of the other kinds there is one of each to add.
void addMenu(Viewer& viewer) {
  if (ImGui::Button("Add a layer", {-1.0f, 0})) ImGui::OpenPopup("add");
  if (!ImGui::BeginPopup("add")) return;
  const Model& model = viewer.bench.model;
  for (std::uint32_t i = 0; i < model.clips.size(); ++i) {
    if (!ImGui::Selectable(fmt::format("clip {}##{}", model.clips[i].name, i).c_str())) continue;
    ClipLayer kind;
    kind.clip = clipWord(model, i);
    Layer layer;
    layer.name = model.clips[i].name;
    layer.kind = kind;
    add(viewer, std::move(layer));
  }
  for (const std::string_view word : kindWords()) {
    if (word == ClipLayer::kKind) continue;
    if (!ImGui::Selectable(std::string(word).c_str())) continue;
    Layer layer;
    layer.kind = suggestedKind(model, viewer.bench.modelFromNode, word, viewer.selected);
    add(viewer, std::move(layer));
  }
  ImGui::EndPopup();
}

// The stack, topmost first, as a painter's list has it: what is above comes last.
void stack(Viewer& viewer) {
  Movement& movement = viewer.edit.history.live().movement;
  for (std::size_t k = movement.layers.size(); k-- > 0;) {
    Layer& layer = movement.layers[k];
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::Checkbox("##on", &layer.on)) commitEdit(viewer, layer.on ? "Layer on" : "Layer off");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("on or off");
    ImGui::SameLine();
    const float weight = scaled(70);
    if (ImGui::Selectable(nameOf(layer).c_str(), viewer.ui.layer == k, 0,
                          {ImGui::GetContentRegionAvail().x - weight - scaled(8), 0}))
      viewer.ui.layer = k;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - weight);
    ImGui::SetNextItemWidth(weight);
    ImGui::SliderFloat("##weight", &layer.weight, 0.0f, 1.0f, "%.2f", ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("weight");
    if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(viewer, "Weight of a layer");
    ImGui::PopID();
  }
  if (movement.layers.empty())
    faintText("None: the clip alone. Layers change its pose one after the other.");
}

void order(Viewer& viewer) {
  Movement& movement = viewer.edit.history.live().movement;
  std::size_t& chosen = viewer.ui.layer;
  if (movement.layers.empty()) return;
  const float width = (ImGui::GetContentRegionAvail().x - 2.0f * scaled(6)) / 3.0f;
  const auto moveTo = [&](std::size_t place) {
    std::swap(movement.layers[chosen], movement.layers[place]);
    chosen = place;
    commitEdit(viewer, "Order of the layers");
  };
  ImGui::BeginDisabled(chosen + 1 >= movement.layers.size());
  if (ImGui::Button("Up", {width, 0})) moveTo(chosen + 1);
  ImGui::EndDisabled();
  ImGui::SameLine(0, scaled(6));
  ImGui::BeginDisabled(chosen == 0);
  if (ImGui::Button("Down", {width, 0})) moveTo(chosen - 1);
  ImGui::EndDisabled();
  ImGui::SameLine(0, scaled(6));
  if (ImGui::Button("Remove", {width, 0})) {
    movement.layers.erase(movement.layers.begin() + static_cast<std::ptrdiff_t>(chosen));
    chosen -= chosen > 0 ? 1 : 0;
    commitEdit(viewer, "Remove a layer");
  }
}

void maskEntry(Viewer& viewer, Layer& layer, std::size_t i, bool& gone) {
  MaskEntry& entry = layer.mask[i];
  ImGui::PushID(static_cast<int>(i));
  ImGui::TextUnformatted(entry.joint.c_str());
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - scaled(22));
  gone = ImGui::SmallButton("x");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("take it out of the mask");
  if (ImGui::Checkbox("and below", &entry.branch)) commitEdit(viewer, "Mask of a layer");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::SliderFloat("##share", &entry.weight, 0.0f, 1.0f, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(viewer, "Mask of a layer");
  ImGui::PopID();
}

void mask(Viewer& viewer, Layer& layer) {
  ImGui::TextUnformatted("Mask");
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < layer.mask.size(); ++i) {
    bool gone = false;
    maskEntry(viewer, layer, i, gone);
    if (gone) out = i;
  }
  if (out) {
    layer.mask.erase(layer.mask.begin() + static_cast<std::ptrdiff_t>(*out));
    commitEdit(viewer, "Mask of a layer");
  }
  if (layer.mask.empty()) faintText("All joints.");
  ImGui::BeginDisabled(!viewer.selected);
  const std::string joint =
      viewer.selected ? viewer.bench.model.hierarchy.nodes[*viewer.selected].name : std::string();
  if (ImGui::Button(joint.empty() ? "Select a joint to mask by"
                                  : fmt::format("Add {}", joint).c_str(),
                    {-1.0f, 0})) {
    layer.mask.push_back({joint, true, 1.0f});
    commitEdit(viewer, "Mask of a layer");
  }
  ImGui::EndDisabled();
}

void chosenLayer(Viewer& viewer) {
  Movement& movement = viewer.edit.history.live().movement;
  if (movement.layers.empty()) return;
  viewer.ui.layer = std::min(viewer.ui.layer, movement.layers.size() - 1);
  Layer& layer = movement.layers[viewer.ui.layer];
  ImGui::Separator();
  heading(fmt::format("{}: {}", kindWord(layer.kind), nameOf(layer)).c_str());
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##name", "name", &layer.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(viewer, "Name of a layer");
  kindFields(viewer, layer);
  mask(viewer, layer);
  if (ImGui::CollapsingHeader("When")) commonFields(viewer, layer);
}

} // namespace

void layersTab(Viewer& viewer) {
  if (!hasModel(viewer) || viewer.crowd) {
    faintText("No single model to move.");
    return;
  }
  if (posing(viewer)) faintText("A pose is held: layers wait until it is let go (Backspace).");
  base(viewer);
  ImGui::Separator();
  heading("Layers");
  stack(viewer);
  order(viewer);
  addMenu(viewer);
  chosenLayer(viewer);
  ImGui::Separator();
  undoButtons(viewer);
  if (ImGui::Button("Save the layers", {-1.0f, 0})) saveMovement(viewer);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("as JSON, for --movement");
  if (ImGui::Button("Open layers...", {-1.0f, 0})) openBrowser(viewer, Browse::edits);
}

} // namespace sinew
