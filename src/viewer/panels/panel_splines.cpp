// The model's free splines: laid, placed in the bind pose, attached, bound to the skin near them.

#include "editor/bind/laid_splines.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "rig/spline_controls.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>

namespace sinew {
namespace {

// The spline whose control point is selected is the chosen one.
void followJoint(const Document& document, std::size_t count, SplineState& state) {
  const auto at = document.selected ? splinePointAt(document, *document.selected) : std::nullopt;
  if (at) state.chosen = at->spline;
  if (state.chosen >= count) state.chosen = 0;
}

void selectSpline(Document& document, SplineState& state, std::size_t index, std::size_t which) {
  state.chosen = index;
  if (index < document.workbench.model.splines.size())
    selectJoint(document, document.workbench.model.splines[index].nodes[which]);
}

void list(Document& document, const std::vector<SplineSketch>& splines, SplineState& state) {
  for (std::size_t i = 0; i < splines.size(); ++i)
    if (ImGui::Selectable(fmt::format("{}##{}", splines[i].name, i).c_str(), state.chosen == i))
      selectSpline(document, state, i, 0);
}

void splineName(Document& document, BindState& bind, const std::string& name, SplineState& state) {
  if (state.named != state.chosen) state.name = name;
  state.named = state.chosen;
  labelAbove("Name");
  ImGui::InputText("##name", &state.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    renameLaidSpline(document, bind, state.chosen, state.name);
    state.named.reset();
  } else if (!ImGui::IsItemActive()) {
    state.name = name;
  }
}

void parentChoice(Document& document, const BindState& bind, const SplineSketch& spline,
                  const SplineState& state) {
  if (spline.own) return faintText("The model's own: nodes of its file carry it.");
  const std::string& parent = spline.parent;
  labelAbove("Parent");
  if (ImGui::BeginCombo("##parent", parent.c_str())) {
    for (const std::string& name : possibleParents(document, bind, state.chosen))
      if (ImGui::Selectable(name.c_str(), name == parent))
        attachLaidSpline(document, bind, state.chosen, name);
    ImGui::EndCombo();
  }
  itemHelp("the joint, or the end of another spline, that carries it");
}

// Where the control points lie in the bind pose: the model follows when a number is released.
void placement(Document& document, const BindState& bind, const std::array<vec3, 3>& before,
               SplineState& state) {
  checkbox("Place it in the bind pose", &state.placing);
  itemHelp("on: the arrows move the control points in the bind pose; off: they pose the model");
  std::array<vec3, 3> points = state.dragged.value_or(before);
  const float step = 0.001f * std::max(document.orbit.framed.size(), 1e-6f);
  bool done = false;
  for (std::size_t i = 0; i < 3; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton(std::to_string(i + 1).c_str()))
      selectSpline(document, state, state.chosen, i);
    itemHelp("select this control point");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::DragFloat3("##point", &points[i].x, step, 0.0f, 0.0f, "%.4g"))
      state.dragged = points;
    done = done || ImGui::IsItemDeactivatedAfterEdit();
    ImGui::PopID();
  }
  if (!done) return;
  state.dragged.reset();
  placeLaidSpline(document, bind, state.chosen, points);
}

void skin(Session& session, const SplineSketch& chosen, Ui& ui) {
  Document& document = session.document;
  SplineState& state = session.splines;
  const float size = computeBounds(document.workbench.rig.positions).size();
  if (!(state.reach > 0.0f)) state.reach = usualReach(chosen);
  namedSlider("reach", &state.reach, 0.005f * size, size, "%.3g");
  itemHelp("skin up to half as far from the curve follows it entirely, farther skin less");
  if (wideButton("Bind the skin",
                 "binds the skin near the spline: its weights are computed again by the distance",
                 true, 0))
    bindLaidSpline(document, session.bind, state.chosen, state.reach);
  if (wideButton("Paint in colours", "red, green and blue for three splines at once", true, 1)) {
    PaintChoices& choices = session.paint.choices;
    choices.splines = choices.colors = true;
    const auto spline = static_cast<std::uint32_t>(state.chosen);
    if (std::ranges::find(choices.trio, spline) == choices.trio.end()) choices.trio[0] = spline;
    choices.spline = spline;
    document.tool = Tool::paint;
    showTab(document, ui, SideTab::paint);
  }
}

// Roll and twist in the pose, of the chosen spline.
void rotation(Document& document, const SplineState& state) {
  if (state.chosen >= document.workbench.model.splines.size()) return;
  const auto point = controlPointAt(document.workbench.rig,
                                    document.workbench.model.splines[state.chosen].nodes[0]);
  const bool selected = document.selected && splinePointAt(document, *document.selected);
  if (point && selected) splineSliders(document, point->spline);
}

} // namespace

void splinesTab(Session& session, Ui& ui) {
  Document& document = session.document;
  SplineState& state = session.splines;
  if (!layable(document)) {
    faintText("No single model to lay splines on.");
    return;
  }
  std::vector<const Method*> shown;
  for (const BoundMethod& bound : document.workbench.bound)
    shown.push_back(bound.method);
  if (!splinesIgnored(document.workbench.model, shown).empty())
    offerMethods(document, "bends by joints alone and ignores free splines.",
                 [](const Method& method) { return method.usesFreeSplines; });
  if (button("New spline", -1.0f)) newSpline(document, session.bind, state);
  itemHelp("along the selected joint's bones, on the end of the selected spline, or through the "
           "mesh  Ctrl+Shift+C");
  const std::vector<SplineSketch> splines = getSplines(document, session.bind); // the new one too
  followJoint(document, splines.size(), state);
  if (splines.empty()) {
    faintText("A free spline bends the skin by three control points and a twist, on any mesh. "
              "Skin that follows none stays with its bones.");
  } else {
    const SplineSketch& chosen = splines[state.chosen];
    list(document, splines, state);
    ImGui::Separator();
    splineName(document, session.bind, chosen.name, state);
    parentChoice(document, session.bind, chosen, state);
    placement(document, session.bind, chosen.points, state);
    ImGui::Separator();
    skin(session, chosen, ui);
    rotation(document, state);
    ImGui::Separator();
    if (button("Remove", -1.0f)) removeLaidSpline(document, session.bind, state.chosen);
    itemHelp("its skin follows the bones again");
  }
  undoButtons(document);
  if (button("Save splines", -1.0f)) saveEdits(session, SaveKind::splines);
  itemHelp("with their weights, beside the model, where they are read with it  Ctrl+Shift+F");
  if (button("Open splines...", -1.0f)) openBrowser(ui, Browse::edits);
}

} // namespace sinew
