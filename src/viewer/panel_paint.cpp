// Painting weights: what is painted, the brush, what is locked, and where the weights go.

#include "viewer/paint_tool.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace sinew {
namespace {

void hint(const char* text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", text);
}

// The spline that the selected joint carries a point of; a spline that is chosen selects its first.
void followSelection(Viewer& viewer) {
  PaintChoices& choices = viewer.edit.paint.choices;
  const std::vector<FreeSpline>& splines = viewer.bench.model.splines;
  const auto carries = [&](const FreeSpline& spline) {
    return viewer.selected &&
           std::ranges::find(spline.nodes, *viewer.selected) != spline.nodes.end();
  };
  if (carries(splines[choices.spline])) return;
  const auto found = std::ranges::find_if(splines, carries);
  if (found != splines.end())
    choices.spline = static_cast<std::uint32_t>(found - splines.begin());
  else
    viewer.selected = splines[choices.spline].nodes[0];
}

// As namedSlider(), for longer names.
void slider(const char* name, float* value, float low, float high, const char* format) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(faintColor(), "%s", name);
  ImGui::SameLine(scaled(70));
  ImGui::Text(format, static_cast<double>(*value));
  ImGui::SameLine(scaled(118));
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::SliderFloat(fmt::format("##{}", name).c_str(), value, low, high, "",
                     ImGuiSliderFlags_AlwaysClamp);
}

void target(Viewer& viewer) {
  PaintChoices& choices = viewer.edit.paint.choices;
  const Model& model = viewer.bench.model;
  if (!model.splines.empty()) {
    if (ImGui::RadioButton("Bones", !choices.splines)) choices.splines = false;
    ImGui::SameLine();
    if (ImGui::RadioButton("Splines", choices.splines)) choices.splines = true;
    hint("the model's free splines");
  }
  if (!choices.splines) {
    heading(viewer.selected ? paintTargetName(viewer).c_str() : "No joint selected");
    if (!viewer.selected)
      faintText("Choose the joint to paint in the list, or Alt and a click on a bone.");
    return;
  }
  followSelection(viewer);
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo("##spline", paintTargetName(viewer).c_str())) return;
  for (std::uint32_t s = 0; s < model.splines.size(); ++s)
    if (ImGui::Selectable(fmt::format("{}##{}", model.splines[s].name, s).c_str(),
                          choices.spline == s)) {
      choices.spline = s;
      viewer.selected = model.splines[s].nodes[0];
    }
  ImGui::EndCombo();
}

void modes(Brush& brush) {
  static constexpr const char* kNames[] = {"Add", "Take away", "Smooth", "Replace"};
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

void brushControls(Viewer& viewer) {
  Brush& brush = viewer.edit.paint.choices.brush;
  modes(brush);
  const float size = boundsOf(viewer.bench.rig.positions).size();
  slider("radius", &brush.radius, 0.001f * size, 0.3f * size, "%.3g");
  hint("in the model's unit, as it was bound; [ and ] change it");
  slider("strength", &brush.strength, 0.01f, 1.0f, "%.2f");
  hint("what a stroke over a vertex adds, about; of smoothing and replacing the share of the way");
  ImGui::BeginDisabled(brush.mode != BrushMode::replace);
  slider("value", &brush.value, 0.0f, 1.0f, "%.2f");
  ImGui::EndDisabled();
  hint("that replacing goes to");
  static constexpr const char* kFalloffs[] = {"smooth", "linear", "constant", "sharp"};
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(faintColor(), "fall-off");
  ImGui::SameLine(scaled(70));
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::BeginCombo("##falloff", kFalloffs[static_cast<int>(brush.falloff)])) {
    for (int i = 0; i < 4; ++i)
      if (ImGui::Selectable(kFalloffs[i], static_cast<int>(brush.falloff) == i))
        brush.falloff = static_cast<BrushFalloff>(i);
    ImGui::EndCombo();
  }
  ImGui::Checkbox("Along the surface", &brush.along);
  hint("distances are those over the skin, so that an arm is painted and not the chest beside it; "
       "else straight ones");
}

void ruleControls(Viewer& viewer) {
  PaintChoices& choices = viewer.edit.paint.choices;
  ImGui::Checkbox("Mirror", &choices.mirror);
  hint("the other side's joint on the other side as well");
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(faintColor(), "influences");
  ImGui::SameLine(scaled(118));
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::SliderInt("##most", &choices.most, 1, 12, "%d", ImGuiSliderFlags_AlwaysClamp);
  hint("that a painted vertex may have at most");
}

// A box to tick for every joint that a skin binds, or every spline.
void locks(Viewer& viewer) {
  PaintChoices& choices = viewer.edit.paint.choices;
  const Model& model = viewer.bench.model;
  std::vector<std::uint32_t>& locked =
      choices.splines ? choices.lockedSplines : choices.lockedBones;
  const std::string title = fmt::format("Locked: {}###locks", locked.size());
  if (!ImGui::CollapsingHeader(title.c_str())) return;
  std::vector<std::uint32_t> all = viewer.joints;
  if (choices.splines) {
    all.clear();
    for (std::uint32_t s = 0; s < model.splines.size(); ++s)
      all.push_back(s);
  }
  if (ImGui::SmallButton("all others")) {
    locked = all;
    if (const auto own = paintTarget(viewer)) std::erase(locked, *own);
  }
  hint("but the one that is painted");
  ImGui::SameLine();
  if (ImGui::SmallButton("none")) locked.clear();
  ImGui::BeginChild("##locklist", {0, scaled(180)}, true);
  for (const std::uint32_t each : all) {
    const std::string& name =
        choices.splines ? model.splines[each].name : model.hierarchy.nodes[each].name;
    bool on = std::ranges::find(locked, each) != locked.end();
    ImGui::PushID(static_cast<int>(each));
    if (ImGui::Checkbox(name.c_str(), &on)) {
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

void paintTab(Viewer& viewer) {
  if (!hasModel(viewer) || viewer.crowd) {
    faintText("No single model to paint.");
    return;
  }
  if (viewer.edit.tools.tool != Tool::paint) { // another tool was chosen by its key
    if (ImGui::Button("Take the brush", {-1.0f, 0})) viewer.edit.tools.tool = Tool::paint;
    hint("Q");
    return;
  }
  viewer.heatMap = true;
  viewer.settings.difference = "none";
  target(viewer);
  colorScale(viewer.settings);
  ImGui::Separator();
  brushControls(viewer);
  ruleControls(viewer);
  locks(viewer);
  ImGui::Separator();
  undoButtons(viewer);
  if (ImGui::Button("Save weights", {-1.0f, 0})) saveWeights(viewer);
  hint("beside the model, where they are read with it  Ctrl+Shift+W");
  faintText("Drag to paint; Shift smooths, Ctrl takes away, Alt turns the camera. A pose or a clip "
            "bends the model, the brush follows it.");
  const PaintCost& cost = viewer.edit.paint.cost;
  if (cost.brush > 0.0)
    faintText(
        fmt::format("Last stroke, a frame at most: brush {:.1f}, binding {:.1f}, colours {:.1f} ms",
                    cost.brush, cost.binding, cost.colors));
}

} // namespace sinew
