// Painting weights: what is painted, the brush, what is locked, and where the weights go.

#include "editor/edit_files.h"
#include "editor/session.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <optional>

namespace sinew {
namespace {

void hint(const char* text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", text);
}

// The spline that the selected joint carries a point of; a spline that is chosen selects its first.
void followSelection(Document& document, PaintState& paint) {
  PaintChoices& choices = paint.choices;
  const std::vector<FreeSpline>& splines = document.workbench.model.splines;
  const auto carries = [&](const FreeSpline& spline) {
    return document.selected &&
           std::ranges::find(spline.nodes, *document.selected) != spline.nodes.end();
  };
  if (carries(splines[choices.spline])) return;
  const auto found = std::ranges::find_if(splines, carries);
  if (found != splines.end())
    choices.spline = static_cast<std::uint32_t>(found - splines.begin());
  else
    document.selected = splines[choices.spline].nodes[0];
}

// The spline that was chosen in a list of all.
std::optional<std::uint32_t> splineCombo(const char* name, const Model& model, std::uint32_t now,
                                         bool orNone) {
  std::optional<std::uint32_t> chosen;
  ImGui::SetNextItemWidth(-1.0f);
  const bool none = now >= model.splines.size();
  if (!ImGui::BeginCombo(name, none ? "none" : model.splines[now].name.c_str())) return chosen;
  if (orNone && ImGui::Selectable("none", none)) chosen = kNoEntry;
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    if (ImGui::Selectable(fmt::format("{}##{}", model.splines[s].name, s).c_str(), now == s))
      chosen = s;
  ImGui::EndCombo();
  return chosen;
}

// Which splines the three colours are, and the colour that the brush paints.
void colorControls(const Model& model, PaintChoices& choices) {
  static constexpr const char* kNames[] = {"##red", "##green", "##blue"};
  for (std::size_t i = 0; i < 3; ++i) {
    vec3 pure(0.0f);
    pure[static_cast<int>(i)] = 1.0f;
    if (ImGui::ColorButton(kNames[i], {pure.x, pure.y, pure.z, 1.0f},
                           ImGuiColorEditFlags_NoTooltip))
      choices.color = pure;
    hint("paint this spline");
    ImGui::SameLine();
    ImGui::PushID(kNames[i]);
    if (const auto chosen = splineCombo("##of", model, choices.trio[i], true)) {
      for (std::uint32_t& other : choices.trio) // each once
        if (other == *chosen) other = kNoEntry;
      choices.trio[i] = *chosen;
    }
    ImGui::PopID();
  }
  if (ImGui::ColorButton("##bones", {0.0f, 0.0f, 0.0f, 1.0f}, ImGuiColorEditFlags_NoTooltip))
    choices.color = vec3(0.0f);
  hint("paint the bones' share, away from the splines; Ctrl while painting");
  ImGui::SameLine();
  ImGui::TextUnformatted("the bones");
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::ColorEdit3("##color", &choices.color.x, ImGuiColorEditFlags_Float);
  hint("the colour that the brush paints: the share of each");
}

void target(Document& document, PaintState& paint) {
  PaintChoices& choices = paint.choices;
  const Model& model = document.workbench.model;
  if (ImGui::RadioButton("Bones", !choices.splines && !choices.velocity))
    choices.splines = choices.velocity = false;
  if (!model.splines.empty()) {
    besideIfRoom(checkboxWidth("Splines"));
    if (ImGui::RadioButton("Splines", choices.splines && !choices.velocity)) {
      choices.splines = true;
      choices.velocity = false;
    }
    hint("the model's free splines");
  }
  besideIfRoom(checkboxWidth("Velocity"));
  if (ImGui::RadioButton("Velocity", choices.velocity)) choices.velocity = true;
  hint("how much each part of the skin follows velocities: drag and squash in Motion, Layers");
  if (choices.velocity) {
    // Colours are shown while a joint is selected, whichever it is.
    if (!document.selected && !document.joints.empty())
      selectJoint(document, document.joints.front());
    heading("Strength of velocity skinning");
    if (!document.workbench.moving.strength.moves())
      faintText("It is seen with a drag or squash above 0, in Motion, Layers.");
    return;
  }
  if (!choices.splines) {
    heading(document.selected ? paintTargetName(document, paint).c_str() : "No joint selected");
    if (!document.selected)
      faintText("Choose the joint to paint in the list, or Alt and a click on a bone.");
    return;
  }
  followSelection(document, paint);
  checkbox("Three at once, as colours", &choices.colors);
  hint("red, green and blue are the weights of three splines; the brush paints a colour");
  if (choices.colors) return colorControls(model, choices);
  if (const auto chosen = splineCombo("##spline", model, choices.spline, false)) {
    choices.spline = *chosen;
    document.selected = model.splines[*chosen].nodes[0];
  }
}

void modes(Brush& brush) {
  static constexpr const char* kNames[] = {"Add", "Subtract", "Smooth", "Replace"};
  static constexpr const char* kHints[] = {"more weight", "less; Ctrl while painting",
                                           "towards the neighbours; Shift while painting",
                                           "towards the value"};
  for (int i = 0; i < 4; ++i) {
    if (i % 2 == 1) ImGui::SameLine(0.5f * ImGui::GetContentRegionAvail().x);
    if (ImGui::RadioButton(kNames[i], static_cast<int>(brush.mode) == i))
      brush.mode = static_cast<BrushMode>(i);
    hint(kHints[i]);
  }
}

void brushControls(Document& document, PaintState& paint) {
  Brush& brush = paint.choices.brush;
  ImGui::BeginDisabled(paintingColors(document, paint));
  modes(brush);
  ImGui::EndDisabled();
  const float size = computeBounds(document.workbench.rig.positions).size();
  namedSlider("radius", &brush.radius, 0.001f * size, 0.3f * size, "%.3g");
  hint("in the model's unit in the bind pose; [ and ] change it");
  namedSlider("strength", &brush.strength, 0.01f, 1.0f, "%.2f");
  hint("approximate weight added per stroke; for smoothing and replacing, the blend factor");
  ImGui::BeginDisabled(brush.mode != BrushMode::replace);
  namedSlider("value", &brush.value, 0.0f, 1.0f, "%.2f");
  ImGui::EndDisabled();
  hint("target of replacing");
  static constexpr const char* kFalloffs[] = {"smooth", "linear", "constant", "sharp"};
  labelAbove("Fall-off");
  if (ImGui::BeginCombo("##falloff", kFalloffs[static_cast<int>(brush.falloff)])) {
    for (int i = 0; i < 4; ++i)
      if (ImGui::Selectable(kFalloffs[i], static_cast<int>(brush.falloff) == i))
        brush.falloff = static_cast<BrushFalloff>(i);
    ImGui::EndCombo();
  }
  checkbox("Along the surface", &brush.along);
  hint(
      "measure distances along the surface, so that an arm is painted and not the chest beside it; "
      "otherwise straight distances");
}

void ruleControls(PaintState& paint) {
  PaintChoices& choices = paint.choices;
  checkbox("Mirror", &choices.mirror);
  hint("also paint the mirrored joint on the other side");
  if (choices.velocity) return;
  labelAbove("Influences", std::to_string(choices.maxInfluences));
  ImGui::SliderInt("##most", &choices.maxInfluences, 1, 12, "", ImGuiSliderFlags_AlwaysClamp);
  hint("the most joints that a painted vertex may follow");
}

// A box to tick for every joint that a skin binds, or every spline.
void locks(Document& document, PaintState& paint) {
  PaintChoices& choices = paint.choices;
  const Model& model = document.workbench.model;
  std::vector<std::uint32_t>& locked =
      choices.splines ? choices.lockedSplines : choices.lockedBones;
  const std::string title =
      fmt::format("Locked {}: {}###locks", choices.splines ? "splines" : "joints", locked.size());
  if (!header(title.c_str())) return;
  std::vector<std::uint32_t> all = document.joints;
  if (choices.splines) {
    all.clear();
    for (std::uint32_t s = 0; s < model.splines.size(); ++s)
      all.push_back(s);
  }
  if (ImGui::SmallButton("All others")) {
    locked = all;
    if (const auto own = paintTarget(document, paint)) std::erase(locked, *own);
  }
  hint("lock all joints but the painted one");
  ImGui::SameLine();
  if (ImGui::SmallButton("None")) locked.clear();
  ImGui::BeginChild("##locklist", {0, scaled(180)}, true);
  for (const std::uint32_t each : all) {
    const std::string& name =
        choices.splines ? model.splines[each].name : model.hierarchy.nodes[each].name;
    bool on = std::ranges::find(locked, each) != locked.end();
    ImGui::PushID(static_cast<int>(each));
    if (checkbox(name.c_str(), &on)) {
      if (on)
        locked.insert(std::ranges::upper_bound(locked, each), each);
      else
        std::erase(locked, each);
    }
    ImGui::PopID();
  }
  ImGui::EndChild();
}

} // namespace

void paintTab(Session& session) {
  Document& document = session.document;
  PaintState& paint = session.paint;
  if (!hasModel(document) || document.crowd) {
    faintText("No single model to paint.");
    return;
  }
  if (document.tool != Tool::paint) { // another tool was chosen by its key
    if (button("Take the brush", -1.0f)) document.tool = Tool::paint;
    hint("Q");
    return;
  }
  document.heatMap = true;
  document.settings.difference.reset();
  target(document, paint);
  if (!paintingColors(document, paint)) colorScale(document.settings);
  ImGui::Separator();
  brushControls(document, paint);
  ruleControls(paint);
  if (!paint.choices.velocity) locks(document, paint);
  ImGui::Separator();
  undoButtons(document);
  if (paint.choices.velocity) {
    if (button("Save the map", -1.0f)) saveEdits(session, SaveKind::velocity);
    hint("beside the model, where every command reads it");
  } else if (document.history.now().splines && paint.choices.splines) {
    if (button("Save splines", -1.0f)) saveEdits(session, SaveKind::splines);
    hint("with their weights, beside the model, where they are read with it  Ctrl+Shift+F");
  } else {
    if (button("Save weights", -1.0f)) saveEdits(session, SaveKind::weights);
    hint("beside the model, where they are read with it  Ctrl+Shift+W");
  }
  faintText(
      "Drag to paint; Shift smooths, Ctrl subtracts, Alt orbits the camera. The brush works on "
      "the posed model.");
  const PaintCost& cost = paint.cost;
  if (cost.brush > 0.0)
    faintText(
        fmt::format("Last stroke, a frame at most: brush {:.1f}, binding {:.1f}, colours {:.1f} ms",
                    cost.brush, cost.binding, cost.colors));
}

} // namespace sinew
