// Free splines on the model: laid, placed in the bind pose, attached, bound to the skin near them.

#include "editor/bind/laid_splines.h"
#include "editor/edit_files.h"
#include "editor/session.h"
#include "rig/spline_controls.h"
#include "viewer/panels/controls.h"
#include "viewer/panels/file_browser.h"
#include "viewer/panels/panels.h"
#include "viewer/window/theme.h"

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>

namespace sinew {
namespace {

// The spline whose control point is selected is the chosen one.
void followJoint(const Document& document, SplineState& state) {
  const SplineSet* set = laidSplines(document);
  const std::size_t count = set != nullptr ? set->splines.size() : 0;
  const auto at = document.selected ? laidPointAt(document, *document.selected) : std::nullopt;
  if (at) state.chosen = at->spline;
  if (state.chosen >= count) state.chosen = 0;
}

void selectSpline(Document& document, SplineState& state, std::size_t index, std::size_t which) {
  state.chosen = index;
  const std::uint32_t spline = modelSpline(document, index);
  if (spline < document.bench.model.splines.size())
    selectJoint(document, document.bench.model.splines[spline].nodes[which]);
}

void list(Document& document, SplineState& state) {
  const auto& splines = laidSplines(document)->splines;
  for (std::size_t i = 0; i < splines.size(); ++i)
    if (ImGui::Selectable(fmt::format("{}##{}", splines[i].name, i).c_str(), state.chosen == i))
      selectSpline(document, state, i, 0);
}

void splineName(Document& document, BindState& bind, SplineState& state) {
  const std::string name = laidSplines(document)->splines[state.chosen].name;
  if (state.named != state.chosen) state.name = name;
  state.named = state.chosen;
  ImGui::SetNextItemWidth(-scaled(56));
  ImGui::InputText("name", &state.name);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    renameLaidSpline(document, bind, state.chosen, state.name);
    state.named.reset();
  } else if (!ImGui::IsItemActive()) {
    state.name = name;
  }
}

void parentChoice(Document& document, const BindState& bind, const SplineState& state) {
  const std::string parent = laidSplines(document)->splines[state.chosen].parent;
  ImGui::SetNextItemWidth(-scaled(56));
  if (ImGui::BeginCombo("parent", parent.c_str())) {
    for (const std::string& name : possibleParents(document, bind, state.chosen))
      if (ImGui::Selectable(name.c_str(), name == parent))
        attachLaidSpline(document, bind, state.chosen, name);
    ImGui::EndCombo();
  }
  itemHelp("the joint, or the end of another spline, that carries it");
}

// Where the control points lie in the bind pose: the model follows when a number is released.
void placement(Document& document, const BindState& bind, SplineState& state) {
  ImGui::Checkbox("Place it: arrows move the bind pose", &state.placing);
  itemHelp("otherwise they pose the model by its control points");
  const std::array<vec3, 3> before = laidSplines(document)->splines[state.chosen].points;
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

void skin(Session& session, Ui& ui) {
  Document& document = session.document;
  SplineState& state = session.splines;
  const float size = boundsOf(document.bench.rig.positions).size();
  if (!(state.reach > 0.0f)) state.reach = usualReach(laidSplines(document)->splines[state.chosen]);
  namedSlider("reach", &state.reach, 0.005f * size, size, "%.3g");
  itemHelp("skin up to half as far from the curve follows it entirely, farther skin less");
  if (wideButton("Bind the skin near", "its weights are made again, by the distance", true, 0))
    bindLaidSpline(document, session.bind, state.chosen, state.reach);
  if (wideButton("Paint in colours", "red, green and blue for three splines at once", true, 1)) {
    PaintChoices& choices = session.paint.choices;
    choices.splines = choices.colors = true;
    const std::uint32_t spline = modelSpline(document, state.chosen);
    if (std::ranges::find(choices.trio, spline) == choices.trio.end()) choices.trio[0] = spline;
    choices.spline = spline;
    document.tool = Tool::paint;
    showTab(document, ui, SideTab::paint);
  }
}

// Roll and twist in the pose, of the chosen spline.
void rotation(Document& document, const SplineState& state) {
  const std::uint32_t spline = modelSpline(document, state.chosen);
  if (spline >= document.bench.model.splines.size()) return;
  const auto point =
      controlPointAt(document.bench.rig, document.bench.model.splines[spline].nodes[0]);
  const bool selected = document.selected && laidPointAt(document, *document.selected);
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
  followJoint(document, state);
  std::vector<const Method*> shown;
  for (const BoundMethod& bound : document.bench.bound)
    shown.push_back(bound.method);
  if (const std::string line = splinesIgnored(document.bench.model, shown); !line.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, warningColor());
    ImGui::TextWrapped("%s", line.c_str());
    ImGui::PopStyleColor();
  }
  if (ImGui::Button("New spline", {-1.0f, 0})) newSpline(document, session.bind, state);
  itemHelp("along the selected joint's bones, on the end of the selected spline, or through the "
           "mesh  Ctrl+Shift+C");
  const SplineSet* set = laidSplines(document);
  if (set == nullptr || set->splines.empty()) {
    faintText("A free spline bends the skin by three control points and a twist, on any mesh. "
              "Skin that follows none stays with its bones.");
  } else {
    list(document, state);
    ImGui::Separator();
    splineName(document, session.bind, state);
    parentChoice(document, session.bind, state);
    placement(document, session.bind, state);
    ImGui::Separator();
    skin(session, ui);
    rotation(document, state);
    ImGui::Separator();
    if (ImGui::Button("Remove", {-1.0f, 0})) removeLaidSpline(document, session.bind, state.chosen);
    itemHelp("its skin goes back to the bones");
  }
  undoButtons(document);
  if (ImGui::Button("Save splines", {-1.0f, 0})) saveSplines(document, session.bind);
  itemHelp("with their weights, beside the model, where they are read with it  Ctrl+Shift+F");
  if (ImGui::Button("Open splines...", {-1.0f, 0})) openBrowser(ui, Browse::edits);
}

} // namespace sinew
