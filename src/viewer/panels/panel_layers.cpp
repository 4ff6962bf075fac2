// The layers over the clip: a stack to add to, order, weigh and mask, and the parameters of the one
// that is chosen, generated from its fields.

#include "animation/layers/layer_suggestion.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/layer_fields.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace sinew {
namespace {

std::string getName(const Layer& layer) {
  return layer.name.empty() ? std::string(kindWord(layer.kind)) : layer.name;
}

constexpr std::array<std::string_view, 4> kOfMotion{"root", "fade", "drag", "squash"};

// How the clip under the layers plays, and what its velocities do to the skin.
void base(Document& document) {
  Settings& settings = document.settings;
  visitSettings(settings, [](const OptionInfo& info, auto& value) {
    if (std::ranges::find(kOfMotion, info.name) == kOfMotion.end()) return;
    ImGui::BeginGroup();
    control(info, value);
    ImGui::EndGroup();
    tooltip(info);
  });
}

void add(Document& document, Layer layer) {
  LayerStack& layerStack = document.history.live().layerStack;
  if (layer.name.empty())
    layer.name = fmt::format("{} {}", kindWord(layer.kind), layerStack.layers.size() + 1);
  layerStack.layers.push_back(std::move(layer));
  document.layer = layerStack.layers.size() - 1;
  commitEdit(document, "Add a layer");
}

// The menu has an entry for each clip by its name, and one for each of the other kinds.
void addMenu(Document& document) {
  if (button("Add a layer", -1.0f)) ImGui::OpenPopup("add");
  if (!ImGui::BeginPopup("add")) return;
  const Model& model = document.workbench.model;
  for (std::uint32_t i = 0; i < model.clips.size(); ++i) {
    if (!ImGui::Selectable(fmt::format("clip {}##{}", model.clips[i].name, i).c_str())) continue;
    ClipLayer kind;
    kind.clip = clipWord(model, i);
    Layer layer;
    layer.name = model.clips[i].name;
    layer.kind = kind;
    add(document, std::move(layer));
  }
  for (const std::string_view word : kindWords()) {
    if (word == ClipLayer::kKind) continue;
    const bool chosen = ImGui::Selectable(std::string(word).c_str());
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", std::string(kindHelp(parseLayerKind(word))).c_str());
    if (!chosen) continue;
    Layer layer;
    layer.kind = suggestedKind(model, document.workbench.modelFromNode, word, document.selected);
    add(document, std::move(layer));
  }
  ImGui::EndPopup();
}

// The stack, topmost layer first, although it is evaluated last.
void stack(Document& document) {
  LayerStack& layerStack = document.history.live().layerStack;
  for (std::size_t k = layerStack.layers.size(); k-- > 0;) {
    Layer& layer = layerStack.layers[k];
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::Checkbox("##on", &layer.on))
      commitEdit(document, layer.on ? "Layer on" : "Layer off");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("on or off");
    ImGui::SameLine();
    const float weight = scaled(70);
    if (ImGui::Selectable(getName(layer).c_str(), document.layer == k, 0,
                          {ImGui::GetContentRegionAvail().x - weight - scaled(8), 0}))
      document.layer = k;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - weight);
    ImGui::SetNextItemWidth(weight);
    ImGui::SliderFloat("##weight", &layer.weight, 0.0f, 1.0f, "%.2f", ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("weight");
    if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(document, "Weight of a layer");
    ImGui::PopID();
  }
  if (layerStack.layers.empty())
    faintText("No layers: the clip plays alone. Layers change its pose one after the other.");
}

void order(Document& document) {
  LayerStack& layerStack = document.history.live().layerStack;
  std::size_t& chosen = document.layer;
  if (layerStack.layers.empty()) return;
  const float width = (ImGui::GetContentRegionAvail().x - 2.0f * scaled(6)) / 3.0f;
  const auto moveTo = [&](std::size_t place) {
    std::swap(layerStack.layers[chosen], layerStack.layers[place]);
    chosen = place;
    commitEdit(document, "Order of the layers");
  };
  ImGui::BeginDisabled(chosen + 1 >= layerStack.layers.size());
  if (ImGui::Button("Up", {width, 0})) moveTo(chosen + 1);
  ImGui::EndDisabled();
  ImGui::SameLine(0, scaled(6));
  ImGui::BeginDisabled(chosen == 0);
  if (ImGui::Button("Down", {width, 0})) moveTo(chosen - 1);
  ImGui::EndDisabled();
  ImGui::SameLine(0, scaled(6));
  if (ImGui::Button("Remove", {width, 0})) {
    layerStack.layers.erase(layerStack.layers.begin() + static_cast<std::ptrdiff_t>(chosen));
    chosen -= chosen > 0 ? 1 : 0;
    commitEdit(document, "Remove a layer");
  }
}

void maskEntry(Document& document, Layer& layer, std::size_t i, bool& gone) {
  MaskEntry& entry = layer.mask[i];
  ImGui::PushID(static_cast<int>(i));
  ImGui::TextUnformatted(entry.joint.c_str());
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - scaled(22));
  gone = ImGui::SmallButton("x");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("remove it from the mask");
  if (checkbox("and below", &entry.branch)) commitEdit(document, "Mask of a layer");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::SliderFloat("##share", &entry.weight, 0.0f, 1.0f, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(document, "Mask of a layer");
  ImGui::PopID();
}

void mask(Document& document, Layer& layer) {
  ImGui::TextUnformatted("Mask");
  std::optional<std::size_t> out;
  for (std::size_t i = 0; i < layer.mask.size(); ++i) {
    bool gone = false;
    maskEntry(document, layer, i, gone);
    if (gone) out = i;
  }
  if (out) {
    layer.mask.erase(layer.mask.begin() + static_cast<std::ptrdiff_t>(*out));
    commitEdit(document, "Mask of a layer");
  }
  if (layer.mask.empty()) faintText("All joints.");
  ImGui::BeginDisabled(!document.selected);
  const std::string joint = document.selected
                                ? document.workbench.model.hierarchy.nodes[*document.selected].name
                                : std::string();
  if (ImGui::Button(joint.empty() ? "Select a joint to mask by"
                                  : fmt::format("Add {}", joint).c_str(),
                    {-1.0f, 0})) {
    layer.mask.push_back({joint, true, 1.0f});
    commitEdit(document, "Mask of a layer");
  }
  ImGui::EndDisabled();
}

void chosenLayer(Document& document) {
  LayerStack& layerStack = document.history.live().layerStack;
  if (layerStack.layers.empty()) return;
  document.layer = std::min(document.layer, layerStack.layers.size() - 1);
  Layer& layer = layerStack.layers[document.layer];
  ImGui::Separator();
  heading(fmt::format("{}: {}", kindWord(layer.kind), getName(layer)).c_str());
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##name", "name", &layer.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) commitEdit(document, "Name of a layer");
  kindFields(document, layer);
  mask(document, layer);
  if (header("When")) commonFields(document, layer);
}

} // namespace

void layersTab(Session& session, Ui& ui) {
  Document& document = session.document;
  if (!hasModel(document) || document.crowd) {
    faintText("No single model to move.");
    return;
  }
  if (holdsPose(document))
    faintText("Layers pause while a pose is edited; Backspace discards the pose.");
  base(document);
  ImGui::Separator();
  heading("Layers");
  stack(document);
  order(document);
  addMenu(document);
  chosenLayer(document);
  ImGui::Separator();
  undoButtons(document);
  if (button("Save the layers", -1.0f)) saveEdits(session, SaveKind::layers);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("as JSON, for --layers");
  if (button("Open layers...", -1.0f)) openBrowser(ui, Browse::edits);
}

} // namespace sinew
