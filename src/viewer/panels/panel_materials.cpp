// Materials of the model: which meshes have them, their textures, and one texture by itself.

#include "editor/material_list.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

constexpr const char* kTextureTitle = "Texture";
constexpr std::array kChannelNames{"Colours", "Red", "Green", "Blue", "Alpha"};

const char* toString(AlphaMode mode) {
  return mode == AlphaMode::blend ? "blended" : mode == AlphaMode::mask ? "cut out" : "opaque";
}

// A button that shows it by itself.
void textureButton(const Model& model, std::uint32_t index, std::string_view as, TextureUi& ui) {
  if (index >= model.textures.size()) return;
  const Texture& texture = model.textures[index];
  const std::string label =
      fmt::format("{}{}{}", as, as.empty() ? "" : ": ",
                  texture.path.empty() ? fmt::format("texture {}", index) : texture.path);
  ImGui::PushID(static_cast<int>(index));
  const std::string shown = shortenedText(label, ImGui::GetContentRegionAvail().x);
  if (!texture.found) ImGui::PushStyleColor(ImGuiCol_Text, warningColor());
  if (ImGui::Selectable(shown.c_str())) ui = {index, TextureChannels::color, 0.0f, true};
  if (!texture.found) ImGui::PopStyleColor();
  itemHelp(fmt::format("{}, {} x {} pixels{}; click: shown by itself", label, texture.image.width,
                       texture.image.height, texture.found ? "" : ", not found")
               .c_str());
  ImGui::PopID();
}

void material(const Model& model, const MaterialUse& use, TextureUi& ui) {
  const Material& material = model.materials[use.material];
  const vec4& c = material.baseColor; // linear
  const auto srgb = [](float value) {
    return std::pow(std::clamp(value, 0.0f, 1.0f), 1.0f / 2.2f);
  };
  ImGui::ColorButton("##color", {srgb(c.x), srgb(c.y), srgb(c.z), c.w},
                     ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_AlphaPreviewHalf,
                     {ImGui::GetFontSize(), ImGui::GetFontSize()});
  ImGui::SameLine();
  const std::string name =
      material.name.empty() ? fmt::format("material {}", use.material) : material.name;
  const std::string shown = shortenedText(name, ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(shown.c_str());
  itemHelp(fmt::format("{}: {}, {}{}", name, toString(material.alphaMode),
                       material.doubleSided ? "both sides" : "one side",
                       material.flat ? ", flat (the file has no normals)" : "")
               .c_str());
  ImGui::Indent(scaled(12));
  if (use.meshes.empty())
    ImGui::TextColored(warningColor(), "of no mesh");
  else
    faintText(fmt::format("{} triangle{} of {}", use.triangles, use.triangles == 1 ? "" : "s",
                          fmt::join(use.meshes, ", ")));
  for (const TextureUse& texture : use.textures)
    textureButton(model, texture.texture, texture.as, ui);
  ImGui::Unindent(scaled(12));
}

} // namespace

void materialList(const Model& model, Ui& ui) {
  if (model.materials.empty()) return;
  ImGui::Spacing();
  heading(fmt::format("Materials ({})", model.materials.size()).c_str());
  for (const MaterialUse& use : materialUses(model)) {
    ImGui::PushID(static_cast<int>(use.material));
    material(model, use, ui.texture);
    ImGui::PopID();
  }
  const std::vector<std::uint32_t> unused = unusedTextures(model);
  if (unused.empty()) return;
  faintText("Textures that no mesh has:");
  for (const std::uint32_t index : unused)
    textureButton(model, index, {}, ui.texture);
}

void texturePanel(const Document& document, Ui& ui, const Graphics& graphics) {
  TextureUi& shown = ui.texture;
  if (std::exchange(shown.opening, false)) ImGui::OpenPopup(kTextureTitle);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({0.8f * display.x, 0.86f * display.y});
  bool open = true;
  if (!ImGui::BeginPopupModal(kTextureTitle, &open,
                              ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove)) {
    shown.texture.reset();
    return;
  }
  const Model& model = document.workbench.model;
  if (!shown.texture || *shown.texture >= model.textures.size()) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return;
  }
  const Texture& texture = model.textures[*shown.texture];
  ImGui::TextUnformatted(
      fmt::format("{}  {} x {}", texture.path, texture.image.width, texture.image.height).c_str());
  int channels = static_cast<int>(shown.channels);
  ImGui::SetNextItemWidth(scaled(130));
  if (ImGui::Combo("##channels", &channels, kChannelNames.data(),
                   static_cast<int>(kChannelNames.size())))
    shown.channels = static_cast<TextureChannels>(channels);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(scaled(200));
  ImGui::SliderFloat("zoom", &shown.zoom, -3.0f, 4.0f, shown.zoom == 0.0f ? "fitted" : "%.1f");
  itemHelp("0: the whole image in the window; one more is twice as large");
  ImGui::BeginChild("##image", {0, 0}, true, ImGuiWindowFlags_HorizontalScrollbar);
  if (graphics.texture && graphics.texture->width > 0.0f) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float fitted =
        std::min(room.x / graphics.texture->width, room.y / graphics.texture->height);
    const float scale = fitted * std::exp2(shown.zoom);
    showPicture(*graphics.texture, scale * graphics.texture->width);
  }
  ImGui::EndChild();
  ImGui::EndPopup();
}

} // namespace sinew
