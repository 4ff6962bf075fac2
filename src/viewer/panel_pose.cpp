// The pose of the selected joint as numbers, and what can be done with the whole pose.

#include "rig/spline_controls.h"
#include "viewer/file_browser.h"
#include "viewer/panels.h"
#include "viewer/session.h"
#include "viewer/theme.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <imgui/imgui.h>

#include <cmath>
#include <cstdio>

namespace sinew {
namespace {

const std::string& selectedName(const Viewer& viewer) {
  return viewer.bench.model.hierarchy.nodes[*viewer.selected].name;
}

// The turn of the selected joint as it is shown: of several ways to say it, the one said last.
void tellTurn(Viewer& viewer) {
  Editing& edit = viewer.edit;
  const Workbench& bench = viewer.bench;
  const Edit& now = edit.history.now();
  const quat turn =
      turnFromRest(bench.model.hierarchy, now.pose ? *now.pose : bench.pose, *viewer.selected);
  if (std::abs(glm::dot(turn, edit.told)) > 1.0f - 1e-7f) return;
  edit.told = turn;
  edit.euler = glm::degrees(eulerOf(turn));
  edit.axisTurn = axisTurnOf(turn, edit.axisTurn.axis);
}

void setTurn(Viewer& viewer, const quat& turn) {
  viewer.edit.told = turn;
  setTurnFromRest(viewer.bench.model.hierarchy, editedPose(viewer), *viewer.selected, turn);
}

// After a slider: a step of the history when it is let go.
void stepWhenDone(Viewer& viewer, const char* what) {
  if (ImGui::IsItemDeactivatedAfterEdit())
    commitEdit(viewer, fmt::format("{} {}", what, selectedName(viewer)));
}

void eulerSliders(Viewer& viewer) {
  Editing& edit = viewer.edit;
  faintText("Turn from rest, about x, then y, then z");
  static constexpr const char* kNames[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    ImGui::PushID(i);
    if (namedSlider(kNames[i], &edit.euler[i], -180.0f, 180.0f, "%.1f\xc2\xb0")) {
      const vec3 kept = edit.euler;
      setTurn(viewer, turnOfEuler(glm::radians(kept)));
      edit.axisTurn = axisTurnOf(edit.told, edit.axisTurn.axis);
    }
    stepWhenDone(viewer, "Turn");
    ImGui::PopID();
  }
}

void axisSliders(Viewer& viewer) {
  Editing& edit = viewer.edit;
  faintText("The same, about one axis");
  float degrees = glm::degrees(edit.axisTurn.angle);
  bool changed = namedSlider("angle", &degrees, -180.0f, 180.0f, "%.1f\xc2\xb0");
  stepWhenDone(viewer, "Turn");
  ImGui::SetNextItemWidth(-1.0f);
  changed |= ImGui::DragFloat3("##axis", &edit.axisTurn.axis.x, 0.005f, -1.0f, 1.0f, "%.3f",
                               ImGuiSliderFlags_AlwaysClamp);
  stepWhenDone(viewer, "Turn");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("the axis, in the joint's axes at rest");
  if (!changed) return;
  edit.axisTurn.angle = glm::radians(degrees);
  if (!(glm::length(edit.axisTurn.axis) > 1e-3f)) return;
  setTurn(viewer, turnOf(edit.axisTurn));
  edit.euler = glm::degrees(eulerOf(edit.told));
}

void place(Viewer& viewer) {
  const std::uint32_t node = *viewer.selected;
  const Workbench& bench = viewer.bench;
  const Edit& now = viewer.edit.history.now();
  const vec3 rest = bench.model.hierarchy.nodes[node].rest.translation;
  const Pose& pose = now.pose ? *now.pose : bench.pose;
  vec3 moved = pose.parentFromNode[node].translation - rest;
  faintText("Moved from rest");
  ImGui::SetNextItemWidth(-1.0f);
  const float step = 0.001f * std::max(viewer.orbit.framed.size(), 1e-6f);
  if (ImGui::DragFloat3("##moved", &moved.x, step, 0.0f, 0.0f, "%.4g"))
    editedPose(viewer).parentFromNode[node].translation = rest + moved;
  stepWhenDone(viewer, "Move");
}

// Roll and twist of the spline whose control point is selected.
void splineSliders(Viewer& viewer, std::uint32_t spline) {
  const Workbench& bench = viewer.bench;
  const Hierarchy& hierarchy = bench.model.hierarchy;
  const Edit& now = viewer.edit.history.now();
  const SplineTurn before =
      splineTurn(hierarchy, bench.rig, spline, now.pose ? *now.pose : bench.pose);
  faintText("Its spline, turned about itself");
  const auto slider = [&](const char* name, const char* help, float SplineTurn::*part) {
    SplineTurn turn = before;
    float degrees = glm::degrees(turn.*part);
    if (namedSlider(name, &degrees, -180.0f, 180.0f, "%.1f\xc2\xb0")) {
      turn.*part = glm::radians(degrees);
      setSplineTurn(hierarchy, bench.rig, spline, editedPose(viewer), turn);
    }
    stepWhenDone(viewer, "Turn the spline at");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
  };
  slider("roll", "the whole spline", &SplineTurn::roll);
  slider("twist", "its end against its start", &SplineTurn::twist);
}

void toolChoice(Viewer& viewer) {
  ToolState& tools = viewer.edit.tools;
  const auto choose = [&](const char* name, Tool tool) {
    if (ImGui::RadioButton(name, tools.tool == tool)) tools.tool = tool;
  };
  choose("Turn", Tool::turn);
  ImGui::SameLine();
  choose("Move", Tool::move);
  ImGui::SameLine();
  choose("Reach", Tool::reach);
  bool model = tools.axes == TurnAxes::model;
  if (ImGui::Checkbox("Model's axes", &model))
    tools.axes = model ? TurnAxes::model : TurnAxes::joint;
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("of the rings and arrows: the model's, or the joint's own  A");
}

bool wideButton(const char* name, const char* help, bool enabled = true, bool left = true) {
  const float half =
      0.5f * (ImGui::GetContentRegionMax().x - ImGui::GetStyle().ItemSpacing.x) - scaled(2);
  if (!left) ImGui::SameLine();
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(name, {half, 0});
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", help);
  return pressed;
}

void wholePose(Viewer& viewer) {
  const bool joint = viewer.selected.has_value();
  if (wideButton("Reset joint", "to its rest pose  Delete", joint)) resetJoint(viewer);
  if (wideButton("Reset all", "the rest pose  Shift+Delete", true, false)) resetPose(viewer);
  if (wideButton("Mirror", "the whole pose, left to right  J")) mirrorPose(viewer);
  if (wideButton("Mirror joint", "this joint and those below onto the other side  Shift+J", joint,
                 false))
    mirrorJoint(viewer);
  undoButtons(viewer);
  if (wideButton("Save pose", "as JSON, in the folder sinew was started in  Ctrl+S"))
    savePose(viewer);
  if (wideButton("Open pose...", "a pose saved as JSON; or drop the file here  Ctrl+P", true,
                 false))
    openBrowser(viewer, Browse::edits);
  if (posing(viewer)) {
    if (ImGui::Button("Back to the clip", {-1.0f, 0})) releasePose(viewer);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Backspace; undo brings the pose back");
  }
}

} // namespace

bool namedSlider(const char* name, float* value, float low, float high, const char* format) {
  ImGui::PushID(name);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(faintColor(), "%s", name);
  const float left = ImGui::GetCursorPosX();
  ImGui::SameLine(left + scaled(46));
  // Beside the slider, whose grab would cover it.
  char text[32];
  std::snprintf(text, sizeof(text), format, static_cast<double>(*value));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text);
  ImGui::SameLine(left + scaled(106));
  ImGui::SetNextItemWidth(-1.0f);
  const bool changed =
      ImGui::SliderFloat("##slider", value, low, high, "", ImGuiSliderFlags_AlwaysClamp);
  ImGui::PopID();
  return changed;
}

void undoButtons(Viewer& viewer) {
  const History<Edit>& history = viewer.edit.history;
  const std::string undo = fmt::format("{}  Ctrl+Z", history.undoWord());
  const std::string redo = fmt::format("{}  Ctrl+Y", history.redoWord());
  if (wideButton("Undo", undo.c_str(), history.canUndo())) undoEdit(viewer);
  if (wideButton("Redo", redo.c_str(), history.canRedo(), false)) redoEdit(viewer);
}

void poseTab(Viewer& viewer) {
  if (!hasModel(viewer) || viewer.crowd) {
    faintText("No single model to pose.");
    return;
  }
  if (posing(viewer))
    ImGui::TextColored(accentColor(), "Editing a pose; the clip waits.");
  else
    faintText("Drag a ring or a slider to edit.");
  ImGui::Spacing();
  if (viewer.selected) {
    heading(selectedName(viewer).c_str());
    toolChoice(viewer);
    tellTurn(viewer);
    eulerSliders(viewer);
    axisSliders(viewer);
    if (viewer.edit.tools.tool == Tool::move) place(viewer);
    if (const auto point = controlPointAt(viewer.bench.rig, *viewer.selected))
      splineSliders(viewer, point->spline);
  } else {
    faintText("Click a bone in the picture or a joint in the list.");
  }
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  wholePose(viewer);
}

} // namespace sinew
