#include "viewer/panels/layer_fields.h"

#include "core/text.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

std::string fieldLabel(std::string_view name) {
  std::string label(name);
  std::replace(label.begin(), label.end(), '_', ' ');
  return capitalised(std::move(label));
}

// One control per type of field; true when a change is complete.
class Fields {
 public:
  explicit Fields(Document& document) : document_(document) {}

  template <class T>
  void operator()(const FieldInfo& info, T& value) {
    ImGui::PushID(info.name.data(), info.name.data() + info.name.size());
    ImGui::BeginGroup();
    const bool done = edit(info, value);
    ImGui::EndGroup();
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%.*s", static_cast<int>(info.help.size()), info.help.data());
    ImGui::PopID();
    if (done) commitEdit(document_, fieldLabel(info.name) + " of a layer");
  }

 private:
  bool edit(const FieldInfo& info, bool& value) {
    return checkbox(fieldLabel(info.name).c_str(), &value);
  }

  // Ranges too wide for a slider are dragged, or typed after a double click.
  bool edit(const FieldInfo& info, float& value) {
    const bool wide = info.minimum == info.maximum || info.maximum - info.minimum > 200.0f;
    if (!wide) {
      namedSlider(fieldLabel(info.name).c_str(), &value, info.minimum, info.maximum, "%.3g");
    } else {
      ImGui::TextUnformatted(fieldLabel(info.name).c_str());
      ImGui::SetNextItemWidth(-1.0f);
      const bool bounded = info.minimum < info.maximum;
      ImGui::DragFloat("##value", &value, 0.01f, bounded ? info.minimum : 0.0f,
                       bounded ? info.maximum : 0.0f, "%.3f",
                       bounded ? ImGuiSliderFlags_AlwaysClamp : ImGuiSliderFlags_None);
    }
    return ImGui::IsItemDeactivatedAfterEdit();
  }

  bool edit(const FieldInfo& info, int& value) {
    ImGui::TextUnformatted(fieldLabel(info.name).c_str());
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::DragInt(
        "##value", &value, 0.1f, static_cast<int>(info.minimum), static_cast<int>(info.maximum),
        "%d", info.minimum < info.maximum ? ImGuiSliderFlags_AlwaysClamp : ImGuiSliderFlags_None);
    return ImGui::IsItemDeactivatedAfterEdit();
  }

  bool edit(const FieldInfo& info, vec3& value) {
    ImGui::TextUnformatted(fieldLabel(info.name).c_str());
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::DragFloat3("##value", &value.x, 0.01f);
    return ImGui::IsItemDeactivatedAfterEdit();
  }

  bool edit(const FieldInfo& info, std::string& value) {
    ImGui::TextUnformatted(fieldLabel(info.name).c_str());
    ImGui::SetNextItemWidth(-1.0f);
    if (info.of == FieldInfo::Of::clip) return clipChoice(value);
    if (info.of == FieldInfo::Of::joint) return jointChoice(value);
    ImGui::InputText("##value", &value);
    return ImGui::IsItemDeactivatedAfterEdit();
  }

  bool edit(const FieldInfo& info, std::vector<std::string>& value) {
    ImGui::TextUnformatted(fieldLabel(info.name).c_str());
    bool done = false;
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < value.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      ImGui::BulletText("%s", value[i].c_str());
      ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - scaled(22));
      if (ImGui::SmallButton("x")) out = i;
      ImGui::PopID();
    }
    if (out) value.erase(value.begin() + static_cast<std::ptrdiff_t>(*out));
    done = out.has_value();
    if (info.of == FieldInfo::Of::joint && document_.selected &&
        ImGui::Button(fmt::format("Add {}", selected()).c_str(), {-1.0f, 0})) {
      value.push_back(selected());
      done = true;
    }
    return done;
  }

  // Points of a curve: one row each.
  bool edit(const FieldInfo& info, std::vector<vec2>& value) {
    ImGui::TextUnformatted(fieldLabel(info.name).c_str());
    const std::vector<vec2> before = value;
    bool done = false;
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < value.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      ImGui::SetNextItemWidth(-scaled(26));
      ImGui::DragFloat2("##point", &value[i].x, 0.005f, 0.0f, 1.0f, "%.3f",
                        ImGuiSliderFlags_AlwaysClamp);
      done = done || ImGui::IsItemDeactivatedAfterEdit();
      ImGui::SameLine();
      if (ImGui::SmallButton("x")) out = i;
      ImGui::PopID();
    }
    if (out) value.erase(value.begin() + static_cast<std::ptrdiff_t>(*out));
    if (button("Add a point", -1.0f)) {
      const vec2 last = value.empty() ? vec2(0.0f) : value.back();
      value.push_back(0.5f * (last + vec2(1.0f)));
      done = true;
    }
    if (!isMonotone(value)) value = before; // time does not run backwards
    return done || out;
  }

  template <class T>
  requires std::is_enum_v<T>
  bool edit(const FieldInfo& info, T& value) {
    ImGui::TextUnformatted(fieldLabel(info.name).c_str());
    ImGui::SetNextItemWidth(-1.0f);
    const auto now = static_cast<std::size_t>(value);
    if (!ImGui::BeginCombo("##value", std::string(info.choices[now]).c_str())) return false;
    bool done = false;
    for (std::size_t i = 0; i < info.choices.size(); ++i)
      if (ImGui::Selectable(std::string(info.choices[i]).c_str(), i == now) && i != now) {
        value = static_cast<T>(i);
        done = true;
      }
    ImGui::EndCombo();
    return done;
  }

  bool clipChoice(std::string& value) {
    if (!ImGui::BeginCombo("##value", value.c_str())) return false;
    std::string chosen = value;
    for (const char* word : {"none", "bind"})
      if (ImGui::Selectable(word, value == word)) chosen = word;
    const Model& model = document_.workbench.model;
    for (std::uint32_t i = 0; i < model.clips.size(); ++i) {
      const std::string word = clipWord(model, i);
      if (ImGui::Selectable(word.c_str(), value == word)) chosen = word;
    }
    ImGui::EndCombo();
    if (chosen == value) return false;
    value = chosen;
    return true;
  }

  bool jointChoice(std::string& value) {
    bool done = false;
    if (ImGui::BeginCombo("##value", value.c_str())) {
      for (const std::uint32_t node : document_.joints) {
        const std::string& name = document_.workbench.model.hierarchy.nodes[node].name;
        if (!ImGui::Selectable(name.c_str(), value == name)) continue;
        done = value != name;
        value = name;
      }
      ImGui::EndCombo();
    }
    return done;
  }

  const std::string& selected() const {
    return document_.workbench.model.hierarchy.nodes[*document_.selected].name;
  }

  Document& document_;
};

} // namespace

void kindFields(Document& document, Layer& layer) {
  Fields fields(document);
  visitKindFields(layer.kind, fields);
}

void commonFields(Document& document, Layer& layer) {
  Fields fields(document);
  visitFields(layer, [&](const FieldInfo& info, auto& value) {
    if (info.name != "on" && info.name != "weight") fields(info, value); // they are in the stack
  });
}

} // namespace sinew
